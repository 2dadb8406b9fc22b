import { createHash } from 'node:crypto';

import { SCRIPT } from '../page/script.ts';
import { readStyle } from '../page/style.ts';

/** A file that the pages load. Its name contains a digest of its content. */
export interface Asset {
  name: string;
  type: string;
  text: string;
}

const named = (stem: string, extension: string, type: string, text: string): Asset => ({
  name: `${stem}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`,
  type,
  text,
});

let assets: { script: Asset; style: Asset } | undefined;

/** The script and the style sheet. A deployed function loads them as a separate file with the first request for one (`lib/stack/apart.ts`). */
export const readAssets = () =>
  (assets ??= {
    script: named('console', 'js', 'text/javascript; charset=utf-8', SCRIPT),
    style: named('console', 'css', 'text/css; charset=utf-8', readStyle()),
  });
