import { readAssets } from './apart.ts';

/** The path prefix of the script and the style sheet. */
const ASSETS_PATH = '/console/assets';

/**
 * The addresses of the script and the style sheet. They are computed when a stage is built, so that a page loads neither
 * (`lib/stack/lean.ts`).
 */
export function assetAddresses(): { script: string; style: string } {
  const { script, style } = readAssets();
  return { script: `${ASSETS_PATH}/${script.name}`, style: `${ASSETS_PATH}/${style.name}` };
}
