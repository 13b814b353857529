/** What the page does on its own: filters, copying, opening what a link leads to. It is readable without. */
export const script = `
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const checks = [...document.querySelectorAll('details.check')];
  const chips = [...document.querySelectorAll('button.chip')];
  const areas = [...document.querySelectorAll('section.area')];
  const text = document.getElementById('text');
  const area = document.getElementById('area');
  const shown = document.getElementById('shown');
  const search = new Map(checks.map((check) => [check, check.dataset.search.toLowerCase()]));
  const filter = () => {
    const wanted = new Set(chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.value));
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const check of checks) {
      const fits =
        (wanted.size === 0 || wanted.has(check.dataset.outcome)) &&
        (area.value === '' || area.value === check.dataset.area) &&
        words.every((word) => search.get(check).includes(word));
      check.hidden = !fits;
      if (fits) count++;
    }
    for (const section of areas) section.hidden = !section.querySelector('details.check:not([hidden])');
    shown.textContent = count + ' of ' + checks.length + ' checks';
  };
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }
  text.addEventListener('input', filter);
  area.addEventListener('change', filter);
  document.getElementById('expand').addEventListener('click', (event) => {
    const open = event.currentTarget.getAttribute('aria-pressed') !== 'true';
    event.currentTarget.setAttribute('aria-pressed', String(open));
    for (const check of checks) if (!check.hidden) check.open = open;
  });
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button.copy');
    if (!button) return;
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'selected';
    }
    setTimeout(() => (button.textContent = 'copy'), 1500);
  });
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches('details.check')) return;
    target.hidden = false;
    target.closest('section.area').hidden = false;
    target.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  filter();
  follow();
})();
`;
