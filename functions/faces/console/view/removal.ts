import type { Html } from '../../../kernel/pages/html.ts';
import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import type { Act } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { frame } from './parts.ts';

/** The deletion of a record on its page. */
export interface Removal {
  act: Act;
  /** The effect of the deletion, in sentences. */
  effect: (name: string) => string;
  /** The name that the operator types to confirm; the name or the slug of the record if absent. */
  name?: (record: unknown) => string;
  more?: Html;
}

interface Named {
  name?: string;
  slug?: string;
}

const findName = (record: unknown): string => (record as Named).name ?? (record as Named).slug ?? '';

/** The form that deletes a record, apart from all others. @returns undefined if the operator may not do it */
export function renderRemoval(visit: Visit, { act, effect, name, more }: Removal, record: unknown): Html | undefined {
  const typed = (name ?? findName)(record);
  const form = renderAct(visit, act, {
    fields: {},
    effect: effect(typed),
    look: 'danger',
    typed,
    ...(more && { more }),
  });
  return form && frame('Deletion', html`<div class="pad">${form}</div>`);
}
