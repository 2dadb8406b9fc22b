/** A style sheet or script of the console. */
export interface Asset {
  body: string;
  headers: Record<string, string>;
}

/** The files by their names; there are none yet. */
const assets: ReadonlyMap<string, Asset> = new Map();

/** The style sheet or script with a name. */
export const consoleAsset = (file: string): Asset | undefined => assets.get(file);
