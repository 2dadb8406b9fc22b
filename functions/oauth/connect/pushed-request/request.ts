import { clock } from '../../../kernel/clock.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { pushedRequests } from './entity.ts';

/** The prefix of a `request_uri` (RFC 9126 section 2.2). */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** Seconds for which a pushed request can be used. A user may reload the page during this time. */
export const PUSHED_SECONDS = 300;

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }) => `pushed ${environmentId} ${id}`;

/** Stores the parameters of a request. @returns its `request_uri`, of which only the hash is stored */
export function stagePushedRequest(
  unit: Pick<Unit, 'stage'>,
  { environmentId, applicationId, parameters }: { environmentId: string; applicationId: string; parameters: string },
): string {
  const secret = randomSecret(32, 'base64url');
  const own = { environmentId, id: sha256Hex(secret) };
  const { write } = pushedRequests.create({
    ...own,
    applicationId,
    sealed: derivedSeal([secret], sealInfo(own), parameters),
    expiresAt: clock.seconds() + PUSHED_SECONDS,
  });
  unit.stage(write);
  return `${PREFIX}${secret}`;
}

/**
 * The parameters of a pushed request of an application, by one GetItem; undefined if it is unknown, expired or another
 * application's.
 */
export async function findPushedRequest(
  environmentId: string,
  applicationId: string,
  requestUri: string,
): Promise<URLSearchParams | undefined> {
  if (!requestUri.startsWith(PREFIX)) return undefined;
  const secret = requestUri.slice(PREFIX.length);
  const record = await pushedRequests.get(environmentId, sha256Hex(secret));
  if (record?.applicationId !== applicationId || (record.expiresAt ?? 0) <= clock.seconds()) return undefined;
  return new URLSearchParams(
    Buffer.from(derivedOpen([secret], sealInfo(record), record.sealed as Uint8Array)).toString('utf8'),
  );
}
