import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { root } from '../programs.ts';
import { declarations, typedEntries } from '../tsc.ts';

const temporary = join(root, '.cache/public-api');
/** The folder of the reports. */
export const folder = import.meta.dirname;

/**
 * Writes a report for each entry, from the declarations of the package.
 * @returns each report, for reviews; and types that its exports need but no entry exports, and exports without a description
 */
export async function publicApi() {
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const types = await declarations();
  // `./types` is generated from the contract.
  const entries = typedEntries().filter(([entry]) => entry !== './types');
  const files = entries.map(([, file]) => join(types, file));
  // One program for all entries: what they share is read and checked once.
  let program: CompilerState | undefined;
  const apis = entries.map(([entry], i) => {
    const name = entry === '.' ? 'partnerkit' : entry.slice(2).replaceAll('/', '-');
    const config = configOf(name, files[i] ?? '', files);
    program ??= CompilerState.create(config, { additionalEntryPoints: files });
    return apiOf(name, config, program);
  });
  const exported = new Set(apis.flatMap(({ report }) => namesIn(report, exports)));
  return apis.map(({ name, report, needed }) => ({
    name,
    report,
    missing: [
      ...needed.filter((type) => !exported.has(type)).map((type) => `${type} is needed and not exported`),
      ...namesIn(report, undescribed).map((each) => `${each} has no description`),
    ],
  }));
}

const exports = /^export .*?(?:class|const|function|interface|type) (\w+)/gm;
const undescribed = /^\/\/ @public \(undocumented\)\nexport .*?(?:class|const|function|interface|type) (\w+)/gm;
const namesIn = (report: string, form: RegExp) => [...report.matchAll(form)].map(([, name = '']) => name);

const configOf = (name: string, file: string, files: readonly string[]) =>
  ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { extends: './tsconfig.json', files, include: [] } },
      apiReport: { enabled: true, reportFileName: name, reportFolder: temporary, reportTempFolder: temporary },
      newlineKind: 'lf',
      messages: { extractorMessageReporting: { 'ae-forgotten-export': { logLevel: 'warning' as never } } },
    },
  });

function apiOf(name: string, config: ExtractorConfig, program: CompilerState) {
  const needed: string[] = [];
  Extractor.invoke(config, {
    localBuild: true,
    compilerState: program,
    messageCallback(message) {
      message.handled = true;
      const [, quoted = ''] = /"(\w+)"/.exec(message.text) ?? [];
      // Two entries may export different things with the same name. A schema is a value, and its type has another name.
      if (message.messageId === 'ae-forgotten-export' && /^[A-Z]/.test(quoted))
        needed.push(quoted.replace(/_\d+$/, ''));
    },
  });
  return { name, report: readFileSync(join(temporary, `${name}.api.md`), 'utf8'), needed };
}

// `npm run public-api` updates the reports. Review the changes in them.
if (import.meta.main)
  for (const { name, report } of await publicApi()) writeFileSync(join(folder, `${name}.api.md`), report);
