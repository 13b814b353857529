import type { Markup } from '../../../spec/report-page/markup.ts';
import { page } from '../../../spec/report-page/page.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** A report page that lists laws: with filters, copying and links that open what they lead to. */
export const lawPage = (title: string, body: Markup): string => page({ title, body, style, script });
