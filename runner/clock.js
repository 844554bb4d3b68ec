// The page's civil time stands still at `now` (milliseconds since 1970). Timers run as ever.
(now) => {
  const Real = Date;
  Real.now = () => now;
  globalThis.Date = new Proxy(Real, {
    construct: (target, values, made) =>
      Reflect.construct(target, values.length ? values : [now], made),
    apply: () => new Real(now).toString(),
  });
  Real.prototype.constructor = globalThis.Date;
}
