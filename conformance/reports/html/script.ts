/** Filters, and links that unfold their target. The page is readable without this script. */
export const script = `
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const laws = [...document.querySelectorAll('details.law')];
  const chips = [...document.querySelectorAll('button.chip')];
  const sections = [...document.querySelectorAll('details.section')].filter((section) => section.querySelector('details.law'));
  const text = document.getElementById('text');
  const shown = document.getElementById('shown');
  const search = new Map(laws.map((law) => [law, law.dataset.search.toLowerCase()]));
  /** Sections that were open before the first filter; null while nothing is filtered. */
  let before = null;
  const filter = () => {
    const wanted = new Set(chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.value));
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const law of laws) {
      const fits =
        (wanted.size === 0 || wanted.has(law.dataset.outcome)) &&
        words.every((word) => search.get(law).includes(word));
      law.hidden = !fits;
      if (fits) count++;
    }
    const filtering = wanted.size > 0 || words.length > 0;
    if (filtering) before ??= sections.filter((section) => section.open);
    for (const section of sections) {
      section.hidden = !section.querySelector('details.law:not([hidden])');
      if (filtering) section.open = true;
      else if (before) section.open = before.includes(section);
    }
    if (!filtering) before = null;
    shown.textContent = count + ' of ' + laws.length;
  };
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }
  text.addEventListener('input', filter);
  document.getElementById('expand').addEventListener('click', (event) => {
    const open = event.currentTarget.getAttribute('aria-pressed') !== 'true';
    event.currentTarget.setAttribute('aria-pressed', String(open));
    for (const section of sections) section.open = open;
  });
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches('details.law')) return;
    target.hidden = false;
    target.closest('details.section').hidden = false;
    target.closest('details.section').open = true;
    target.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  filter();
  follow();
})();
`;
