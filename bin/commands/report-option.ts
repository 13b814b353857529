import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { WantedFile } from '../../conformance/reports/report-files.ts';
import { repeatable } from '../option-values.ts';

/** `--report html=report.html,junit=junit.xml`, repeatable. */
export const reportOption = <Format extends string>(formats: readonly Format[]) =>
  repeatable('--report <format=file>', `write reports: ${formats.join(', ')}; repeatable, or with commas`, (value) =>
    value.split(',').map((text) => reportFile(text, formats)),
  );

function reportFile<Format extends string>(text: string, formats: readonly Format[]): WantedFile<Format> {
  const [name = '', ...rest] = text.split('=');
  const path = rest.join('=').trim();
  const format = formats.find((known) => known === name.trim());
  if (format === undefined) {
    throw new InvalidArgumentError(`There is no report format "${name}"; use ${formats.join(', ')}.`);
  }
  if (path === '') throw new InvalidArgumentError(`Give a file for ${format}, such as ${format}=report.${format}.`);
  return { format, path };
}
