import { connectSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { ulidAt } from '../../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../../kernel/keys/derived-seal.ts';
import { constantTimeEqual, randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { settings } from '../../../kernel/settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { loginFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { findApplication } from '../application/entity.ts';
import type { ConsentOption } from '../consent/options.ts';
import { type ExternalAuthRecord, externalAuths } from './entity.ts';

/** Seconds within which the environment's application must complete a sign-in. */
const LIFE_SECONDS = 900;

/** The page to which the browser returns. */
const RETURN_PATH = '/hosted/external';

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }) =>
  `external-auth ${environmentId} ${id}`;

/**
 * Stores a sign-in that the environment's own application performs.
 * @returns the id, which only a caller with the environment's API key can complete, and the address of the application with
 *   that id; undefined if the environment has no `login_uri`
 */
export async function stageExternalAuth(
  unit: Pick<Unit, 'stage'>,
  { environmentId, flowId }: { environmentId: string; flowId: string },
): Promise<{ id: string; location: string } | undefined> {
  const { login_uri: loginUri } = await findSettings(environmentId, connectSettings);
  if (loginUri === null) return undefined;
  const id = `ext_auth_${ulidAt(clock.now(), Buffer.from(randomSecret(16, 'base64url'), 'base64url'))}`;
  const own = { environmentId, id };
  const { write } = externalAuths.create({
    ...own,
    sealed: derivedSeal([id], sealInfo(own), flowId),
    expiresAt: clock.seconds() + LIFE_SECONDS,
  });
  unit.stage(write);
  return { id, location: addressWith(loginUri, id) };
}

function addressWith(loginUri: string, id: string): string {
  const url = new URL(loginUri);
  url.searchParams.set('external_auth_id', id);
  return url.href;
}

/** Finds such a sign-in, completed or not, by one GetItem; undefined after 15 minutes and after its use. */
export async function findExternalAuth(environmentId: string, id: string): Promise<ExternalAuthRecord | undefined> {
  const record = await externalAuths.get(environmentId, id);
  return record !== undefined && (record.expiresAt ?? 0) > clock.seconds() ? record : undefined;
}

/** The token of the sign-in that a record belongs to. */
const openFlowId = (record: ExternalAuthRecord): string =>
  Buffer.from(derivedOpen([record.id], sealInfo(record), record.sealed as Uint8Array)).toString('utf8');

/** Reports whether the sign-in ends with a page that asks for consent: that of a third-party application. */
export async function hasConsentPage(record: ExternalAuthRecord): Promise<boolean> {
  const flow = await loginFlow(record.environmentId, openFlowId(record));
  const application = flow?.application && (await findApplication(record.environmentId, flow.application.id));
  return application?.isFirstParty === false;
}

/**
 * Completes a sign-in for a user.
 * @returns the address to which the browser returns. Its secret is only given to the environment's application, and is
 *   accepted only in the browser that began the sign-in
 */
export function stageCompletion(
  unit: Pick<Unit, 'stage'>,
  record: ExternalAuthRecord,
  userId: string,
  options: readonly ConsentOption[],
): string {
  const secret = randomSecret(32, 'base64url');
  const changes = { userId, returnHash: sha256Hex(secret), completedAt: clock.now(), options };
  unit.stage(externalAuths.revise(record, changes).write);
  const url = new URL(`${settings().GATEHOUSE_BASE_URL}${RETURN_PATH}`);
  url.searchParams.set('flow', openFlowId(record));
  url.searchParams.set('returned', secret);
  return url.href;
}

/** The user of a completed sign-in if the browser returns with the secret, which can be used once. */
export async function takeCompletion(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id, secret }: { environmentId: string; id: string; secret: string },
): Promise<{ userId: string; completedAt: number; options: readonly ConsentOption[] } | undefined> {
  const record = await findExternalAuth(environmentId, id);
  const { userId, returnHash, completedAt } = record ?? {};
  if (record === undefined || userId === undefined || returnHash === undefined || completedAt === undefined) {
    return undefined;
  }
  if (!constantTimeEqual(sha256Hex(secret), returnHash)) return undefined;
  unit.stage(externalAuths.remove(record));
  return { userId, completedAt, options: (record.options ?? []) as ConsentOption[] };
}
