// Walks the replay, by its addresses from the last step to the first and then by its button from
// the first to the last, and compares what the board shows with the data.
async () => {
  const said = [];
  const root = document.documentElement;
  const slider = document.querySelector("#slider");
  const steps = GAME.steps;
  const pause = () => new Promise((done) => setTimeout(done, 10));
  const reach = async (key) => {
    for (let tries = 0; tries < 100 && root.dataset.step !== key; tries += 1) await pause();
    return root.dataset.step === key;
  };
  const areas = new Set(steps.flatMap((step) => Object.keys(step.holds)));
  const compare = (index, how) => {
    const { key, holds } = steps[index];
    const shapes = [...document.querySelectorAll("#board [data-area]")];
    const known = new Set(shapes.map((shape) => shape.dataset.area));
    for (const area of areas) if (!known.has(area)) said.push(`${key}: ${area} is not on the board`);
    for (const { dataset } of shapes) {
      const holder = String(holds[dataset.area] ?? "");
      if (dataset.holder !== holder)
        said.push(`${key}, ${how}: ${dataset.area} shows "${dataset.holder}", held by "${holder}"`);
    }
    const place = (slider.value - slider.min) / (Number(slider.step) || 1);
    if (place !== index) said.push(`${key}, ${how}: the slider stands at ${place}, not ${index}`);
    if (!slider.getAttribute("aria-valuetext")) said.push(`${key}: the slider says nothing`);
  };
  if (slider.max - slider.min !== steps.length - 1)
    said.push(`the slider has ${slider.max - slider.min + 1} places for ${steps.length} steps`);
  for (let index = steps.length - 1; index >= 0 && said.length < 9; index -= 1) {
    location.hash = steps[index].key;
    if (await reach(steps[index].key)) compare(index, "by its address");
    else said.push(`${steps[index].key}: its address shows ${root.dataset.step}`);
  }
  for (let index = 1; index < steps.length && said.length < 9; index += 1) {
    document.querySelector("#next").click();
    if (await reach(steps[index].key)) compare(index, "by #next");
    else said.push(`${steps[index].key}: #next shows ${root.dataset.step}`);
  }
  return [...new Set(said)];
}
