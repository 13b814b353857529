/**
 * Proves `partnerkit certify` with clients in five languages: `node bin/certify/proof/prove.ts [defects|rounds] [language] [rounds]`.
 * Each defect must be found by what it was made for, and the right clients must pass everything, in so many rounds.
 * On a machine that others keep busy `no-jitter` may be missed: what the machine adds to a pause then hides that nothing else differs.
 */
import { clientDefects } from './defects.ts';
import { languages, openToolbox } from './languages.ts';
import { finderOf, tryClient } from './try-client.ts';

const [what = 'all', only, rounds = '20'] = process.argv.slice(2);
const selected = languages.filter((language) => only === undefined || only === 'all' || language === only);
using toolbox = openToolbox(selected);
for (const words of toolbox.missing) console.log(words);
let wrong = 0;
const complain = (text: string) => {
  wrong++;
  console.log(text);
};

for (const [language, command] of toolbox.commands) {
  const defects = what === 'rounds' ? [] : clientDefects.filter((defect) => defect.language === language);
  for (const defect of defects)
    if ((await finderOf(defect, command)) === undefined)
      complain(`${language}: ${defect.name}: NOT FOUND by ${defect.foundBy}`);
  for (let round = 1; round <= (what === 'defects' ? 0 : Number(rounds)); round++) {
    const report = await tryClient({ command });
    const rows = typeof report === 'string' ? [{ id: 'certify', message: report, outcome: 'error' }] : report.rows;
    for (const { id, message, outcome } of rows)
      if (!['pass', 'not-run'].includes(outcome))
        complain(`${language}, round ${round}: FALSE ALARM ${id}: ${message}`);
  }
  console.log(`${language}: ${defects.length} defects, ${wrong} wrong so far`);
}
process.exitCode = wrong === 0 ? 0 : 1;
