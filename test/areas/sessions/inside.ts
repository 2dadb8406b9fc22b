import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import {
  RefreshRejected,
  refreshSession,
  type SessionRecord,
  stageSession,
} from '../../../functions/tenancy/sessions/public.ts';
import type { RefreshAttempt, Refreshed } from '../../../functions/tenancy/sessions/session/refresh.ts';
import type { SessionOpening } from '../../../functions/tenancy/sessions/session/stage.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import { rowsIn } from '../../kernel/notes/table.ts';
import { retry } from '../../support/retries.ts';
import { admit } from '../../support/admission.ts';

/** The service in this process, with two environments in one table and the area's own functions. */
export interface Inside {
  target: Target;
  /** Ids of the two environments. */
  here: string;
  there: string;
  stop: () => Promise<void>;
}

export async function openInside(): Promise<Inside> {
  const target = await openTarget();
  process.env.GATEHOUSE_BASE_URL = 'https://auth.example.com';
  forgetSettings();
  const [here, there] = [target.keys.here, target.keys.there].map((key) => target.apiWith(key).environmentId);
  return { target, here: here ?? '', there: there ?? '', stop: () => target.stop() };
}

/** The data of a session, with its organization. */
export type Opening = Partial<SessionOpening> & { organizationId?: string | undefined };

/** Opens a session like a sign-in. */
export async function open(
  environmentId: string,
  { organizationId, ...given }: Opening = {},
): Promise<{ session: SessionRecord; refreshToken: string }> {
  let opened: Awaited<ReturnType<typeof stageSession>> | undefined;
  const isBySso = given.authMethod === 'sso' && organizationId !== undefined;
  const proof = isBySso ? ({ method: 'sso', word: `organization:${organizationId}` } as const) : {};
  await applyWork(environmentId, systemActor, async (unit) => {
    opened = await stageSession(unit, admit(organizationId, proof), {
      environmentId,
      userId: newId('user'),
      authMethod: 'password',
      ipAddress: '203.0.113.7',
      userAgent: 'a browser',
      client: 'confidential',
      ...given,
    });
  });
  if (opened === undefined) throw new Error('nothing was opened');
  return opened;
}

/**
 * Refreshes a session as the grant does: again after a conflict, and with a commit of the writes that a rejection keeps.
 * @returns the reason of the rejection
 */
export async function refresh(
  environmentId: string,
  refreshToken: string,
  given: Partial<RefreshAttempt> = {},
): Promise<Refreshed<string> | string> {
  const attempt = { environmentId, refreshToken, client: 'confidential', ipAddress: null, userAgent: null } as const;
  const commit = async (): Promise<{ kind: string; refreshed: Refreshed<string> | string }> => {
    const unit = new Unit(environmentId, systemActor);
    let refreshed: Refreshed<string> | string;
    try {
      refreshed = await refreshSession(unit, { ...attempt, ...given }, async (_, organizationId) => ({
        verdict: admit(organizationId),
        subject: organizationId ?? '',
      }));
    } catch (error) {
      if (!(error instanceof RefreshRejected)) throw error;
      refreshed = error.reason;
      if (!error.commitOnFailure) return { kind: 'committed', refreshed };
    }
    return { kind: (await unit.commit()).kind, refreshed };
  };
  return (await retry(commit, ({ kind }) => kind === 'committed')).refreshed;
}

/** The payloads of an environment's events of a name. */
export async function readEvents(environmentId: string, name: string): Promise<Record<string, unknown>[]> {
  const rows = await rowsIn(environmentId);
  return rows
    .filter((row) => row.__edb_e__ === 'event' && row.name === name)
    .map(({ data }) => JSON.parse(String(data)) as Record<string, unknown>);
}

/** Sets a section of an environment's settings, effective at once. */
export async function set(environmentId: string, section: string, values: object): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const current = await environments.get(environmentId, environmentId);
    if (current === undefined) throw new Error('no such environment');
    const settings = { ...(current.settings as object | undefined), [section]: values };
    unit.stage(environments.revise(current, { settings }).write);
  });
  forgetEnvironments();
}

/**
 * Reports whether the stored data is encrypted: no PKCS #8 key can be read from it (its DER names rsaEncryption after a
 * version).
 */
export function sealedWithin(record: unknown): boolean {
  const bytes: Uint8Array[] = [];
  JSON.stringify(record, (_, value: unknown) => {
    if (value instanceof Uint8Array) bytes.push(value);
    return value;
  });
  const head = Buffer.from('020100300d06092a864886f70d010101', 'hex');
  return bytes.length > 0 && bytes.every((one) => !Buffer.from(one).includes(head));
}
