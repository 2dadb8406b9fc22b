import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

import { cached, install } from '../../clients/cache.ts';

/** A repository with test documents, at a fixed commit. None of them is committed here. */
export interface Repository {
  readonly name: string;
  readonly url: string;
  readonly commit: string;
}

export const NODE_SAML: Repository = {
  name: 'node-saml',
  url: 'https://github.com/node-saml/node-saml.git',
  commit: '1d8d66f16536687d577eea3335533928b57397be',
};
export const XML_CRYPTO: Repository = {
  name: 'xml-crypto',
  url: 'https://github.com/node-saml/xml-crypto.git',
  commit: 'b673581ba070eeeee76b638c0a1bba23a53f6794',
};
export const RUBY_SAML: Repository = {
  name: 'ruby-saml',
  url: 'https://github.com/SAML-Toolkits/ruby-saml.git',
  commit: '2970ad987a676af52bce4518398b0e2f239ee76b',
};

/** Fetches the folder `test` of a repository. @throws {Skipped} when its host cannot be reached */
export async function fetchTests({ name, url, commit }: Repository): Promise<string> {
  const folder = await cached(`saml-${name}`, [import.meta.filename], async (target) => {
    await install('git', ['init', '--quiet', target]);
    await install('git', ['fetch', '--quiet', '--depth', '1', url, commit], { cwd: target });
    await install('git', ['checkout', '--quiet', 'FETCH_HEAD', '--', 'test'], { cwd: target });
  });
  return join(folder, 'test');
}

/** A response of a corpus. */
export interface Fixture {
  readonly file: string;
  readonly xml: string;
}

/** The XML of a file, which may be base64 and deflated. */
function readXml(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (/^\s*</.test(text)) return text;
  const bytes = Buffer.from(text, 'base64');
  try {
    return inflateRawSync(bytes).toString('utf8');
  } catch {
    return bytes.toString('utf8');
  }
}

/** All responses of a folder. */
export const responsesIn = (folder: string): readonly Fixture[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.includes('xml'))
    .map(({ name }) => ({ file: name, xml: readXml(join(folder, name)) }))
    .filter(({ xml }) => /<(?:\w+:)?Response[\s>]/.test(xml));
