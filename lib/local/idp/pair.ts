import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { makeSelfSigned } from '../../../functions/sign-in/sso/saml/self-signed.ts';
import type { DataFolder } from '../data-folder.ts';

/** The key of the identity provider, and its certificate: PEM. */
export interface Pair {
  privateKey: string;
  certificate: string;
}

const NAME = 'identity-provider';

/** Reads the key pair from the data folder. It is made at the first use and kept, because connections contain its certificate. */
export function makePairReader(folder: Pick<DataFolder, 'read' | 'remember'>, now: () => number): () => Pair {
  let pair: Pair | undefined;
  return () => {
    const stored = folder.read(NAME);
    pair ??= stored === undefined ? undefined : (JSON.parse(stored) as Pair);
    if (pair !== undefined) return pair;
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    const serial = randomBytes(16);
    pair = {
      privateKey,
      certificate: makeSelfSigned({ privateKey, name: 'Test identity provider', serial, now: now() }),
    };
    folder.remember(NAME, JSON.stringify(pair));
    return pair;
  };
}
