// Dialogs and tabs. Everything else on the sites is plain HTML.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-opens], [data-closes], [role=tab]");
  if (!button) return;
  if (button.dataset.opens) document.getElementById(button.dataset.opens).showModal();
  if (button.dataset.closes) document.getElementById(button.dataset.closes).close();
  if (button.getAttribute("role") === "tab") {
    for (const tab of button.closest("[role=tablist]").querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab === button));
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== button;
    }
  }
});
