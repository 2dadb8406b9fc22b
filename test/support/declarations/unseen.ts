import type { Area } from '../../../functions/kernel/area.ts';
import { type DeclaredError, general } from '../../../functions/kernel/errors.ts';
import { subscribableEventNames } from '../../../functions/kernel/events/catalogue/names.ts';
import { Router } from '../../../functions/kernel/http/router.ts';
import { awaited } from './awaited.ts';
import type { Seen } from './record.ts';

/** What any operation may meet is provoked by the kernel's own tests. */
const isGeneral = (error: DeclaredError): boolean =>
  Object.values(general).some(({ status, message }) => status === error.status && message === error.message);

/**
 * The declared errors that no answer carried (save awaited ones) and the declared events that nobody received, one line each, in the
 * registry's order.
 */
export function unseenDeclarations(areas: readonly Area[], seen: readonly Seen[]): string[] {
  const router = new Router(areas.flatMap(({ operations }) => operations));
  const answers = new Set<string>();
  const received = new Set<string>();
  for (const one of seen) {
    if (one.kind === 'event') received.add(one.name);
    else {
      const route = router.find(one.method, one.path);
      if (route.kind === 'found') answers.add(`${route.operation.id} ${one.status} ${one.code ?? ''}`);
    }
  }
  const hasAnswered = (id: string, status: number, code?: string): boolean =>
    [...answers].some(
      (answer) => answer.startsWith(`${id} ${status} `) && (code === undefined || answer.endsWith(` ${code}`)),
    );
  const declared = areas.flatMap(({ operations, refusals }) =>
    operations.flatMap((operation) => {
      const { id, errors } = operation;
      // The vault's bodies carry no code: there the status is all that tells.
      const isCoded = (error: DeclaredError): boolean =>
        error.form === 'oauth' || (operation.refusals ?? refusals).name !== 'error';
      return errors
        .filter((error) => !isGeneral(error) && awaited[id]?.[error.code] === undefined)
        .filter((error) => !hasAnswered(id, error.status, isCoded(error) ? error.code : undefined))
        .map(({ status, code }) => `${id} never answered ${status} ${code}`);
    }),
  );
  const emitted = new Set(areas.flatMap(({ operations }) => operations.flatMap(({ emits }) => emits)));
  const subscribable: ReadonlySet<string> = new Set(subscribableEventNames);
  // What nobody can subscribe to is only listed: the tests of its area look there.
  const unheard = [...emitted]
    .filter((name) => subscribable.has(name) && !received.has(name))
    .map((name) => `${name} was never delivered`);
  return [...new Set([...declared, ...unheard])];
}
