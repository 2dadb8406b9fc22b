import type { Area } from '../../../functions/kernel/area.ts';
import { type DeclaredError, general } from '../../../functions/kernel/errors.ts';
import { subscribableEventNames } from '../../../functions/kernel/events/catalogue/names.ts';
import type { Operation } from '../../../functions/kernel/operation.ts';
import { Router } from '../../../functions/kernel/http/router.ts';
import { awaited, unprovoked } from './awaited.ts';
import type { Seen } from './record.ts';

/** Errors that any operation may have, which the kernel's own tests cause. */
const isGeneral = (error: DeclaredError): boolean =>
  Object.values(general).some(({ status, message }) => status === error.status && message === error.message);

/**
 * Declarations that no test covered, one line each, in the registry's order: errors that no response had (except
 * awaited ones), events that were never delivered, events that an operation never emitted, operations without a test of
 * their behaviour.
 */
export function unseenDeclarations(areas: readonly Area[], seen: readonly Seen[]): string[] {
  const router = new Router(areas.flatMap(({ operations }) => operations));
  const responses = new Set<string>();
  const received = new Set<string>();
  const emissions = new Set<string>();
  const successes = new Set<string>();
  for (const one of seen) {
    if (one.kind === 'event') received.add(one.name);
    else if (one.kind === 'emission') emissions.add(`${one.operation} ${one.name}`);
    else if (one.kind === 'response') {
      const route = router.find(one.method, one.path);
      if (route.kind !== 'found') continue;
      responses.add(`${route.operation.id} ${one.status} ${one.code ?? ''}`);
      if (one.message !== undefined) responses.add(`${route.operation.id} ${one.code} ${one.message}`);
      // Operations of a protocol that the service does not support always respond with 501.
      if (one.isBehaviour !== false && (one.status < 400 || one.status === 501)) successes.add(route.operation.id);
    }
  }
  // Pages, SCIM and the vault respond without a code of the API, so their errors are identified by the status.
  const CODELESS = new Set(['error', 'scim']);
  const hasResponded = (
    id: string,
    { status, code, form, record, message }: DeclaredError,
    formName: string,
  ): boolean =>
    // Errors of several kinds of records may have one code; the message names the kind.
    (record === undefined || CODELESS.has(formName)
      ? responses.has(`${id} ${status} ${code}`)
      : responses.has(`${id} ${code} ${message}`)) ||
    responses.has(`${id} ${status} `) ||
    (form !== 'oauth' &&
      CODELESS.has(formName) &&
      [...responses].some((response) => response.startsWith(`${id} ${status} `)));
  const declared = areas.flatMap(({ name, operations: own, errorForm }) =>
    own.flatMap((operation) => {
      const { id, errors } = operation;
      const isSeen = (error: DeclaredError): boolean =>
        findSharing(own, error).some((each) => hasResponded(each.id, error, (each.errorForm ?? errorForm).name)) ||
        hasResponded(id, error, (operation.errorForm ?? errorForm).name);
      return errors
        .filter((error) => !isGeneral(error) && awaited[id]?.[error.code] === undefined)
        .filter((error) => !isSeen(error))
        .map(
          ({ status, code, record }) =>
            `${id} never responded ${status} ${code}${record === undefined ? '' : ` (${record})`}: ${findTests(name)}`,
        );
    }),
  );
  const operations = areas.flatMap((area) => area.operations);
  const emitted = new Set(areas.flatMap(({ operations }) => operations.flatMap(({ emits }) => emits)));
  const subscribable: ReadonlySet<string> = new Set(subscribableEventNames);
  // Events without subscriptions are not delivered but only listed, and the tests of their area read them there.
  const unheard = [...emitted]
    .filter((name) => subscribable.has(name) && !received.has(name))
    .map((name) => {
      const { id } = operations.find(({ emits }) => (emits as readonly string[]).includes(name)) ?? {};
      return `${name} was never delivered to a receiver() of test/support; ${id} emits it`;
    });
  const untested = areas.flatMap(({ name, operations: own }) =>
    own.filter(({ id }) => !successes.has(id)).map(({ id }) => `${id} ${NO_BEHAVIOUR}: ${findTests(name)}`),
  );
  const unemitted = areas.flatMap((area) =>
    [...groupsOfEmitters(area.operations)].flatMap(([names, ids]) =>
      names
        .split(' ')
        .filter(
          (name) => name !== '' && !ids.some((id) => emissions.has(`${id} ${name}`) || unprovoked[id]?.includes(name)),
        )
        .map((name) => `${ids.join(' or ')} never emitted ${name}`),
    ),
  );
  return [...new Set([...declared, ...unheard, ...untested, ...unemitted])];
}

/** The finding about an operation without a test of its behaviour. */
export const NO_BEHAVIOUR = 'never succeeded in a test outside of test/contract';

/** The number of operations of an area from which an error is that of code that they share, such as their authentication. */
const SHARED_BY = 10;

/** The operations of an area that share an error: it counts as seen if one of them has responded with it. */
function findSharing(own: readonly Operation[], { status, code }: DeclaredError): readonly Operation[] {
  const found = own.filter(({ errors }) => errors.some((each) => each.status === status && each.code === code));
  return found.length < SHARED_BY ? [] : found;
}

/** The folder of an area's tests. */
const findTests = (area: string): string => `test/areas/${area}`;

/**
 * The groups of an area's operations that declare the same events, such as the steps of a sign-in, each of which may be the last one:
 * an event counts as seen when one of them emits it.
 */
function groupsOfEmitters(operations: readonly Pick<Operation, 'id' | 'emits'>[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, emits } of operations) {
    const names = [...emits].sort().join(' ');
    groups.set(names, [...(groups.get(names) ?? []), id]);
  }
  return groups;
}

/** The changes of records that no event reported, one line each. */
export function unannounced(seen: readonly Seen[]): string[] {
  const lines = seen.flatMap((one) =>
    one.kind === 'unannounced' ? [`${one.by} changed ${one.changed.join(', ')} of ${one.record}`] : [],
  );
  return [...new Set(lines)].sort();
}
