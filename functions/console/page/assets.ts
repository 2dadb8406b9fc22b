import { createHash } from 'node:crypto';

import { SCRIPT } from './script.ts';
import { readStyle } from './style.ts';

/** The path prefix of the script and the style sheet. */
const ASSETS_PATH = '/console/assets';

interface Asset {
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

const readAssets = () =>
  (assets ??= {
    script: named('console', 'js', 'text/javascript; charset=utf-8', SCRIPT),
    style: named('console', 'css', 'text/css; charset=utf-8', readStyle()),
  });

/** The addresses of the script and the style sheet. Their names contain digests of their content. */
export const assetAddresses = () => {
  const { script, style } = readAssets();
  return { script: `${ASSETS_PATH}/${script.name}`, style: `${ASSETS_PATH}/${style.name}` };
};

/** The file of an asset, which a browser may cache without limit. @returns undefined for another name */
export function consoleAsset(file: string): { body: string; headers: Record<string, string> } | undefined {
  const asset = Object.values(readAssets()).find(({ name }) => name === file);
  return (
    asset && {
      body: asset.text,
      headers: {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      },
    }
  );
}
