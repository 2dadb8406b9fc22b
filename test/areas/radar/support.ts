import { type AttemptRecord, attempts } from '../../../functions/proofs/radar/attempt/entity.ts';
import { call, idle } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

/** The user agent of an ordinary browser. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

/** The response to an attempt. */
export interface Assessed {
  verdict: 'allow' | 'block' | 'challenge';
  reason: string;
  attempt_id: string;
  control?: string;
  blocklist_type?: string;
}

/** Assesses an attempt over HTTP; members replace those of an ordinary sign-in. */
export async function assess(members: Record<string, unknown> = {}): Promise<Assessed> {
  const attempt = {
    ip_address: '203.0.113.7',
    user_agent: BROWSER,
    email: 'ada@example.com',
    auth_method: 'Password',
    action: 'sign-in',
    ...members,
  };
  const { status, body } = await call<Assessed>('POST', '/radar/attempts', attempt);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export const succeed = (id: string, body: object = { attempt_status: 'success' }) =>
  call('PUT', `/radar/attempts/${id}`, body);

export const list = (type: string, action: string, entry: unknown, method: 'POST' | 'DELETE' = 'POST') =>
  call<{ message?: string }>(method, `/radar/lists/${type}/${action}`, { entry });

/** An explained attempt. */
export interface Explained {
  verdict: string;
  control: string | null;
  rules_version: string;
  signals: { name: string; value: unknown; source: string; not_evaluated: string | null }[];
  controls: { control: string; mode: string; points: number; triggered: boolean }[];
  rules: { name: string; matched: boolean; not_evaluated: string[]; exempt_by: string[] }[];
  lists: { allow: string[]; block: string[]; not_evaluated: { type: string; reason: string }[] } | null;
  challenge_status: string | null;
  attempt_status: string | null;
}

export async function explained(id: string): Promise<Explained> {
  const { status, body } = await call<Explained>('GET', `/x/radar/attempts/${id}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The value of a signal, or the reason why it has none. */
export async function readSignal(id: string, name: string): Promise<unknown> {
  const found = (await explained(id)).signals.find((signal) => signal.name === name);
  if (found === undefined) throw new Error(`there is no signal ${name}`);
  return found.not_evaluated ?? found.value;
}

/** A rule set as callers see it. */
export interface RuleSet {
  version: string;
  is_default: boolean;
  controls: Record<string, { mode: string; threshold: number }>;
  rules: Record<string, unknown>[];
}

export const rules = async (): Promise<RuleSet> => (await call<RuleSet>('GET', '/x/radar/rules')).body;

/** Sets the default rule set with other modes. */
export async function setModes(modes: Record<string, string>): Promise<RuleSet> {
  const { controls, rules: all } = await rules();
  const changed = Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [name, { ...control, mode: modes[name] ?? control.mode }]),
  );
  const { status, body } = await call<RuleSet>('PUT', '/x/radar/rules', { controls: changed, rules: all });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The attempts that sign-ins of this service have stored, in their order. */
export async function storedAttempts(): Promise<AttemptRecord[]> {
  const environmentId = await environment();
  await idle();
  const { data } = await attempts.entity().scan.go({ pages: 'all' });
  return data.filter((row) => row.environmentId === environmentId).sort((a, b) => (a.id < b.id ? -1 : 1));
}
