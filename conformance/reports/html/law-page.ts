import type { Markup } from '../../../spec/report-page/markup.ts';
import { page } from '../../../spec/report-page/page.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** A page that lists laws, with the script and style of filters, copy buttons and links. */
export const lawPage = (title: string, body: Markup): string => page({ title, body, style, script });
