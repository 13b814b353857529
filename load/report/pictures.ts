import { html, type Markup } from '../../spec/report-page/markup.ts';
import { envelopePicture, type Scale, type Size, trafficPicture } from './picture.ts';
import type { LoadReport } from './report-schema.ts';

/**
 * The pictures of a run, each for wide and for narrow windows.
 * @param width of a picture in a wide window
 * @param run its name, on a page with several runs
 */
export function pictures(report: LoadReport, scale: Scale, { width = 1060, run = '' } = {}): readonly Markup[] {
  const wide = { width, height: 320 };
  const traffic = picture(
    `${run}requests over time`,
    [
      ['admitted', 'admitted'],
      ['throttled', 'throttled (429)'],
      ['unknown', 'no usable answer'],
      ['bound', 'declared rate'],
    ],
    wide,
    (size) => trafficPicture(report, size, scale),
  );
  if (report.admitted.length === 0) return [traffic];
  return [
    traffic,
    picture(
      `${run}admitted beyond the declared rate`,
      [
        ['curve', 'admitted so far, minus what the declared rate allows'],
        ['band', 'between the least and the most generous reading of the burst'],
      ],
      wide,
      (size) => envelopePicture(report, size, scale),
    ),
  ];
}

const narrow = { width: 360, height: 260 };

function picture(
  title: string,
  legend: readonly (readonly [string, string])[],
  wide: Size,
  draw: (size: Size) => Markup,
): Markup {
  return html`<h2>${title[0]?.toUpperCase() ?? ''}${title.slice(1)}</h2>
<figure class="card">
<ul class="legend">${legend.map(([kind, text]) => html`<li><span class="key ${kind}"></span>${text}</li>`)}</ul>
<div class="wide-only">${draw(wide)}</div><div class="narrow-only">${draw(narrow)}</div>
</figure>`;
}
