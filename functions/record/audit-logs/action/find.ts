import { Recent } from '../recent.ts';
import { type ActionRecord, findAction, findSchema } from './entity.ts';
import { compileSchema, type CheckedEvent, type EventCheck, type EventSchema, type Violation } from './rules.ts';

/** The result of checking an event against the schema of its action. */
export type CheckedAgainst =
  | { kind: 'valid'; version: number }
  | { kind: 'invalid'; violations: Violation[] }
  | { kind: 'no-action' };

const recent = new Recent<ActionRecord>(1_000);

/** Compiled checks by environment, action and version, which never change. */
const compiled = new Map<string, EventCheck>();
const MOST_COMPILED = 1_000;

/**
 * Checks an event against the schema of its action: the version that the event names, or the newest one. There is no round
 * trip while the action is cached. Before an event is rejected, the action is read again.
 */
export async function checkEvent(
  environmentId: string,
  name: string,
  version: number | undefined,
  event: CheckedEvent,
): Promise<CheckedAgainst> {
  const key = JSON.stringify([environmentId, name]);
  for (;;) {
    const { value: action, isFresh } = await recent.get(key, () => findAction(environmentId, name));
    if (action === undefined) return { kind: 'no-action' };
    const wanted = version ?? action.latestVersion;
    const check = await findCheck(environmentId, action, wanted);
    const violations = check?.(event) ?? [noVersion(action)];
    if (violations.length === 0) return { kind: 'valid', version: wanted };
    if (isFresh) return { kind: 'invalid', violations };
    recent.forget(key);
  }
}

const noVersion = ({ name, latestVersion }: ActionRecord): Violation => ({
  instancePath: '/version',
  code: 'enum',
  message: `must be a version of the schema of ${name}: 1 to ${latestVersion}`,
});

async function findCheck(
  environmentId: string,
  action: ActionRecord,
  version: number,
): Promise<EventCheck | undefined> {
  // The key includes the action's id, because a name may be used again after an environment was emptied.
  const key = JSON.stringify([environmentId, action.id, version]);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const body =
    version === action.latestVersion
      ? action.latestBody
      : (await findSchema(environmentId, action.name, version))?.body;
  if (body === undefined) return undefined;
  const check = compileSchema(JSON.parse(body) as EventSchema);
  if (compiled.size >= MOST_COMPILED) {
    const [oldest] = compiled.keys();
    if (oldest !== undefined) compiled.delete(oldest);
  }
  compiled.set(key, check);
  return check;
}
