import { awaitAll } from '../../../kernel/concurrency.ts';
import { idOfDocument } from '../application/client-id.ts';
import { connectSettings, OPENID_SCOPES } from '../../../sign-in/modules/authorization-server/public.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { computeNetwork } from '../../../kernel/limits/client-network.ts';
import { consume, tooMany } from '../../../kernel/limits/counter.ts';
import { findLimit, type LimitName } from '../../../kernel/limits/named-limits.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type ApplicationRecord, applications, findApplication } from '../application/entity.ts';
import { splitScopes } from '../authorize/scope.ts';
import { UNUSED_SECONDS } from '../registration/lifetime.ts';
import { type DescribedClient, isClientUrl, readClientDocument, readKeptSeconds } from './rules.ts';

/** Maximum bytes of a document (draft-ietf-oauth-client-id-metadata-document section 6.6). */
const MAX_BYTES = 5_120;

/** A request that names a client by the URL of its metadata document. */
interface Asking {
  environmentId: string;
  url: string;
  /** The IP address of the caller, by which fetches are counted. */
  address: string;
}

/** Counts a fetch for the network of the caller and for the requested host. @throws Failure 429 if one has too many */
async function countFetch({ environmentId, url, address }: Asking): Promise<void> {
  const environment: unknown = (await findEnvironment(environmentId))?.settings;
  const counted: [LimitName, string][] = [
    ['oauth-document.address', computeNetwork(address)],
    ['oauth-document.host', new URL(url).host],
  ];
  for (const [name, key] of counted) {
    const limit = findLimit(name, environment);
    const verdict = limit && (await consume(environmentId, { name, key }, limit));
    if (verdict?.allowed === false) throw tooMany(verdict);
  }
}

/** Fetches and reads a document, or returns the reason why it describes no client. */
async function fetchClient(
  asking: Asking,
  policy: 'loopback' | 'any',
): Promise<{ client: DescribedClient; keptSeconds: number } | { fault: string }> {
  await countFetch(asking);
  const { fetchDocument } = await import('../remote/apart.ts');
  const fetched = await fetchDocument(asking.url, MAX_BYTES);
  if ('reason' in fetched) return { fault: fetched.reason };
  const client = readClientDocument(fetched.value, asking.url, policy);
  return 'fault' in client ? client : { client, keptSeconds: readKeptSeconds(fetched.cacheControl) };
}

/** Stores the current content of a document. */
function stageClient(
  unit: Pick<Unit, 'stage'>,
  { environmentId, url }: Asking,
  known: ApplicationRecord | undefined,
  { client, keptSeconds, scopes }: { client: DescribedClient; keptSeconds: number; scopes: string[] },
): ApplicationRecord {
  const { name, redirectUris: uris, tokenAuthMethod, keys, keysUri } = client;
  const redirectUris = uris.map((uri, at) => ({ uri, default: at === 0 }));
  const documentUntil = clock.seconds() + keptSeconds;
  const described = { name, redirectUris, tokenAuthMethod, keys, keysUri, scopes, documentUntil };
  if (known !== undefined) {
    const expiresAt = Math.max(known.expiresAt ?? 0, clock.seconds() + UNUSED_SECONDS);
    const revised = applications.revise(known, { ...described, expiresAt });
    unit.stage(revised.write);
    return revised.record;
  }
  const { record, write } = applications.create({
    ...described,
    environmentId,
    id: idOfDocument(environmentId, url),
    owner: ENVIRONMENT_OWNER,
    registration: 'dynamic',
    applicationType: 'oauth',
    usesPkce: true,
    isFirstParty: false,
    secretIds: [],
    documentUrl: url,
    expiresAt: clock.seconds() + UNUSED_SECONDS,
  });
  unit.stage(inPlaceOfExpired(write));
  return record;
}

/**
 * The application whose client id is the address of its metadata document (draft-ietf-oauth-client-id-metadata-document), fetched
 * again when its time has passed. It reads one row, and fetches only where `registration` of the settings admits unknown
 * applications.
 * @returns what is wrong with the document, as a public sentence, if it describes no client
 * @throws Failure the general 429
 */
export async function findDocumentClient(
  unit: Pick<Unit, 'stage' | 'once'>,
  asking: Asking,
): Promise<ApplicationRecord | { fault: string }> {
  const { environmentId, url } = asking;
  if (!isClientUrl(url)) return { fault: 'The client_id is not the address of a metadata document.' };
  const [known, settings] = await awaitAll([
    findApplication(environmentId, url),
    findSettings(environmentId, connectSettings),
  ]);
  const { registration: policy, registration_scopes: further } = settings;
  if (policy === 'off') return { fault: 'This environment accepts no applications that it does not know.' };
  if (known !== undefined && (known.documentUntil ?? 0) > clock.seconds()) return known;
  const fetched = await unit.once(`document ${url}`, () => fetchClient(asking, policy));
  if ('fault' in fetched) return fetched;
  const allowed = [...OPENID_SCOPES, ...further];
  const asked = splitScopes(fetched.client.scope);
  const scopes = asked.length === 0 ? allowed : allowed.filter((scope) => asked.includes(scope));
  return stageClient(unit, asking, known, { ...fetched, scopes });
}
