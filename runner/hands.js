// What is done inside the page to the element `this`. The answer is an object: {} when done,
// {error} in words for the agent, {stale: true} when the element is gone, {point: [x, y]} in CSS
// pixels of the tab's viewport where a real click has to go, or {state} for a switch.
function hand(operation, value) {
  const element = this;
  const page = element.ownerDocument;
  const view = page.defaultView;
  if (!element.isConnected || !view) return { stale: true };

  const words = (text) => (text || "").replace(/\s+/g, " ").trim();
  const tag = element.localName;
  const type = tag === "input" ? element.type : "";
  const disabled = element.matches(":disabled") || element.closest("[aria-disabled=true]");
  const unreachable = element.closest("[inert]") || !element.checkVisibility?.({ visibilityProperty: true });

  // Fields the browser itself refuses are reported by the next look at `refusals`.
  const key = Symbol.for("refusals");
  if (!view[key]) {
    view[key] = [];
    page.addEventListener("invalid", (event) => {
      const field = event.target;
      const label = field.labels?.length ? field.labels[0].textContent : field.getAttribute("aria-label");
      view.top[key] ??= [];
      view.top[key].push(`"${words(label || field.name)}": ${field.validationMessage}`);
    }, true);
  }

  const within = (outer, inner) => {
    for (let node = inner; node; node = node.assignedSlot || node.parentNode || node.host) {
      if (node === outer) return true;
    }
    return false;
  };
  const topmost = (x, y) => {
    let hit = page.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const belongs = (hit) => within(element, hit) || hit?.closest?.("label")?.control === element;

  // The point in the tab's viewport, through all frames; null where a frame's own page covers it.
  const outside = (x, y) => {
    for (let frame = view.frameElement; frame; frame = frame.ownerDocument.defaultView.frameElement) {
      const box = frame.getBoundingClientRect();
      x += box.x + frame.clientLeft;
      y += box.y + frame.clientTop;
      if (frame.ownerDocument.elementFromPoint(x, y) !== frame && !(frame.getRootNode().host)) return null;
    }
    return [x, y];
  };
  const point = () => {
    element.scrollIntoViewIfNeeded();
    let cover = null;
    const boxes = [...element.getClientRects(), ...[...(element.labels || [])].flatMap((label) => [...label.getClientRects()])];
    for (const box of boxes.filter((each) => each.width >= 1 && each.height >= 1)) {
      const spots = [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.15], [0.5, 0.85]];
      for (const [right, down] of spots) {
        const x = box.x + box.width * right;
        const y = box.y + box.height * down;
        const hit = topmost(x, y);
        if (belongs(hit)) {
          const there = outside(x, y);
          if (there) return { point: there };
        } else if (hit) cover = hit;
      }
    }
    if (!cover) {
      // Nothing to aim at and nothing in the way (a skip link off the page): as by the keyboard.
      element.focus();
      element.click();
      return {};
    }
    const covering = cover.closest("dialog, [role=dialog], [role=alertdialog]") || cover;
    const label = covering.getAttribute("aria-label") || covering.textContent;
    return { error: `something covers it: "${words(label).slice(0, 60)}"` };
  };

  const announce = (...names) => {
    for (const name of names) {
      element.dispatchEvent(new view.Event(name, { bubbles: true, composed: name === "input" }));
    }
  };
  const formats = {
    date: "YYYY-MM-DD", time: "HH:MM", month: "YYYY-MM", week: "YYYY-Www",
    "datetime-local": "YYYY-MM-DDTHH:MM", number: "a number such as 12.5", color: "#rrggbb",
    range: "a number within its limits",
  };
  const setExactly = () => {
    const before = element.value;
    const probe = element.cloneNode(false);
    probe.value = "";
    const empty = probe.value;
    probe.value = value;
    const understood = value === "" ? empty : probe.value;
    if (value !== "" && (understood === "" || (type === "range" && Number(value) !== Number(understood)))) {
      return { error: `"${value}" is not a valid value here; write ${formats[type]}` };
    }
    const { set } = Object.getOwnPropertyDescriptor(view.HTMLInputElement.prototype, "value");
    element.focus();
    set.call(element, value);
    if (element.value !== before) announce("input", "change");
    return {};
  };
  const type_ = () => {
    element.focus();
    if (element.isContentEditable) {
      view.getSelection().selectAllChildren(element);
    } else element.select();
    if (value === "") page.execCommand("delete");
    else page.execCommand("insertText", false, value);
    const limit = element.maxLength;
    if (limit >= 0 && value.length > limit) {
      return { error: `the field takes at most ${limit} characters; the rest was left out` };
    }
    return {};
  };
  const fill = () => {
    const typed = ["text", "search", "email", "url", "tel", "password"];
    const typable = element.isContentEditable || tag === "textarea" || typed.includes(type);
    if (element.readOnly && (typable || type in formats)) return { error: "the field is read-only" };
    if (typable) return type_();
    if (type in formats) return setExactly();
    const use = tag === "select" ? "use select_option" : type === "file" ? "files cannot be uploaded here"
      : type === "checkbox" || type === "radio" ? "use check" : "only fields take text";
    return { error: `it cannot be filled; ${use}` };
  };
  const choose = () => {
    if (tag !== "select") return { error: "it is no list of options; use click or fill" };
    const label = words(value);
    const found = [...element.options].filter((each) => words(each.label) === label && !each.hidden);
    if (!found.length) {
      const labels = [...element.options].slice(0, 30).map((each) => `"${words(each.label)}"`);
      return { error: `there is no option "${label}"; the options are ${labels.join(", ")}` };
    }
    const option = found.find((each) => !each.matches(":disabled"));
    if (!option) return { error: `the option "${label}" is disabled` };
    element.focus();
    if (!option.selected) {
      option.selected = true;
      announce("input", "change");
    }
    return {};
  };
  const isOn = () => (type === "checkbox" || type === "radio" ? element.checked
    : element.getAttribute("aria-checked") === "true");
  const isSwitch = type === "checkbox" || type === "radio" || element.hasAttribute("aria-checked");
  const toggle = (wanted) => {
    if (!isSwitch) return { error: "it is no checkbox, radio button or switch; use click" };
    if (isOn() === wanted) return { state: wanted };
    if (!wanted && type === "radio") return { error: "a radio button is cleared by choosing another" };
    return point();
  };
  const click = () => {
    if (tag === "select" && !element.multiple && element.size < 2) {
      return { error: "it is a list; use select_option with a label" };
    }
    return type === "file" ? { error: "files cannot be uploaded here" } : point();
  };

  if (operation === "state") return { state: isOn() };
  if (disabled) return { error: "it is disabled" };
  if (unreachable) return { error: "it cannot be reached now" };
  if (operation === "press") {
    element.focus();
    return element.matches(":focus") ? {} : { error: "it does not take the keyboard" };
  }
  const done = {
    click, fill, select_option: choose, check: () => toggle(true), uncheck: () => toggle(false),
  };
  return done[operation]();
}
