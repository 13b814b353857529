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
  const all = typedEntries()
    .filter(([entry]) => entry !== './types')
    .map(
      ([entry, file]) =>
        [entry === '.' ? 'partnerkit' : entry.slice(2).replaceAll('/', '-'), join(types, file)] as const,
    );
  const files = all.map(([, file]) => file);
  // One program for all entries: what they share is read and checked once.
  let program: CompilerState | undefined;
  const apis = all.map(([name, file]) => {
    const config = configOf(name, file, files);
    program ??= CompilerState.create(config, { additionalEntryPoints: files });
    return apiOf(name, config, program);
  });
  const exported = new Set(apis.flatMap(({ report }) => exportedIn(report)));
  return apis.map(({ name, report, needed, undocumented }) => ({
    name,
    report,
    missing: [
      ...needed.filter((type) => !exported.has(type)).map((type) => `${type} is needed and not exported`),
      ...undocumented.filter((each) => exportedIn(report).includes(each)).map((each) => `${each} has no description`),
    ],
  }));
}

const exportedIn = (report: string) =>
  [...report.matchAll(/^export .*?(?:class|const|function|interface|type) (\w+)/gm)].map(([, name = '']) => name);

function configOf(name: string, file: string, files: readonly string[]) {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { compilerOptions, files } },
      apiReport: { enabled: true, reportFileName: name, reportFolder: temporary, reportTempFolder: temporary },
      newlineKind: 'lf',
      messages: {
        extractorMessageReporting: {
          'ae-forgotten-export': { logLevel: 'warning' as never },
          'ae-undocumented': { logLevel: 'warning' as never },
        },
      },
    },
  });
}

function apiOf(name: string, config: ExtractorConfig, program: CompilerState) {
  const needed: string[] = [];
  const undocumented: string[] = [];
  Extractor.invoke(config, {
    localBuild: true,
    compilerState: program,
    messageCallback(message) {
      message.handled = true;
      const [, quoted = ''] = /"(\w+)"/.exec(message.text) ?? [];
      // Two entries may export different things with the same name. A schema is a value, and its type has another name.
      if (message.messageId === 'ae-forgotten-export' && /^[A-Z]/.test(quoted))
        needed.push(quoted.replace(/_\d+$/, ''));
      if (message.messageId === 'ae-undocumented') undocumented.push(quoted);
    },
  });
  return { name, report: readFileSync(join(temporary, `${name}.api.md`), 'utf8'), needed, undocumented };
}

// `npm run public-api` updates the reports. Review the changes in them.
if (import.meta.main)
  for (const { name, report } of await publicApi()) writeFileSync(join(folder, `${name}.api.md`), report);
