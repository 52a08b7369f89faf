// A clock that stands until `tick(ms)` moves it: what a page does by and by is done at once, and
// what it must not do any more is seen not to happen.
(() => {
  let now = 0;
  let last = 0;
  const due = new Map();
  const began = performance.now();
  const day = Date.now();
  const add = (run, delay, every) => {
    due.set(++last, { run, at: now + Math.max(Number(delay) || 0, every ? 1 : 0), every });
    return last;
  };
  const drop = (id) => void due.delete(id);
  window.setTimeout = (run, delay, ...values) => add(() => run(...values), delay, 0);
  window.setInterval = (run, delay, ...values) =>
    add(() => run(...values), delay, Math.max(Number(delay) || 0, 1));
  window.requestAnimationFrame = (run) => add(() => run(performance.now()), 16, 0);
  window.clearTimeout = window.clearInterval = window.cancelAnimationFrame = drop;
  performance.now = () => began + now;
  Date.now = () => day + now;
  window.tick = async (ms) => {
    const until = now + ms;
    for (;;) {
      const [id, job] = [...due].reduce((a, b) => (b[1].at < a[1].at ? b : a), [0, { at: Infinity }]);
      if (job.at > until) break;
      now = job.at;
      if (job.every) job.at += job.every;
      else due.delete(id);
      job.run();
      await null;
    }
    now = until;
  };
})();
