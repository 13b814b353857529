/**
 * Proves `partnerkit certify` with clients in five languages: `node bin/certify/proof/prove.ts [defects|rounds] [language] [rounds]`.
 * Each defect must be found by what it was made for, and the right clients must pass everything, in so many rounds.
 * On a machine that others keep busy `no-jitter` may be missed: what the machine adds to a pause then hides that nothing else differs.
 */
import { clientDefects } from './defects.ts';
import { type Language, languages, openToolbox } from './languages.ts';
import { finderOf, tryClient } from './try-client.ts';

const [what = 'all', only, rounds = '20'] = process.argv.slice(2);
const selected = languages.filter((language) => only === undefined || only === 'all' || language === only);
using toolbox = openToolbox(selected);
for (const words of toolbox.missing) console.log(words);
let wrong = 0;

async function proveDefects(language: Language, command: readonly string[]): Promise<void> {
  const defects = clientDefects.filter((defect) => defect.language === language);
  let foundCount = 0;
  for (const defect of defects) {
    const by = await finderOf(defect, command);
    if (by !== undefined) foundCount++;
    else console.log(`${language}: ${defect.name}: NOT FOUND by ${defect.foundBy}`);
  }
  wrong += defects.length - foundCount;
  console.log(`${language}: ${foundCount} of ${defects.length} defects found, each by its own`);
}

async function proveRounds(language: Language, command: readonly string[]): Promise<void> {
  const took: number[] = [];
  for (let round = 1; round <= Number(rounds); round++) {
    const report = await tryClient({ command });
    const alarms =
      typeof report === 'string'
        ? [report]
        : report.rows
            .filter(({ outcome }) => !['pass', 'not-run'].includes(outcome))
            .map(({ message, id }) => `${id}: ${message}`);
    if (typeof report !== 'string') took.push(report.durationMilliseconds);
    for (const alarm of alarms) console.log(`${language}, round ${round}: FALSE ALARM ${alarm}`);
    wrong += alarms.length;
  }
  const longest = Math.round(Math.max(...took) / 1000);
  console.log(`${language}: ${took.length} rounds of all that is tried, the longest took ${longest} s`);
}

for (const [language, command] of toolbox.commands) {
  if (what !== 'rounds') await proveDefects(language, command);
  if (what !== 'defects') await proveRounds(language, command);
}
console.log(wrong === 0 ? 'everything is as it should be' : `${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
