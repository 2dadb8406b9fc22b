import * as z from 'zod';

import { operation } from '../../kernel/operation.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { recognize, takeHandover } from '../../social/public.ts';
import { pagesRefusals } from '../ending/refusal.ts';
import { originIn, stagePendingStep } from '../flow/advance.ts';
import { conclude } from '../flow/conclude.ts';
import { signInEvents } from '../flow/events.ts';
import { PATHS } from '../flow/paths.ts';
import { formRefused, ShownRefusal } from '../flow/refusals.ts';
import { Html, visitor } from '../flow/step.ts';
import { cookiesOf, pageIn, type PageReply, redirect, type Visit, visitOf } from '../flow/visit.ts';
import { first } from '../sign-in/operations.ts';
import { waysOf } from '../sign-in/ways.ts';

const Query = z.object({
  /** The token of the sign-in. */
  flow: z.string().max(200).optional(),
});

/** Where sign-ins through providers go on: only the browser that was there finds something left for it. */
const backFromProvider = operation({
  id: 'pages.return_from_provider',
  method: 'GET',
  path: PATHS.social,
  summary: 'The way back from a provider',
  auth: visitor,
  beyondContract: true,
  query: Query,
  responses: { 200: Html, 302: null },
  errors: [formRefused],
  emits: signInEvents,
  idempotency: 'none',
  refusals: pagesRefusals,
  async handle({ query, request, unit }) {
    const visit = await visitOf(query.flow ?? '', request);
    if ('reply' in visit) return visit.reply;
    const reply = await goOn(unit, visit);
    return { ...reply, cookies: [...cookiesOf(visit), ...(reply.cookies ?? [])] };
  },
});

export const socialOperations = [backFromProvider] as const;

async function goOn(unit: Unit, visit: Visit): Promise<PageReply> {
  const handover = await takeHandover(unit, visit.flow, visit.request);
  if (handover === undefined) return redirect(pageIn(visit, PATHS.signIn));
  if (handover.kind === 'pending') return stagePendingStep(unit, visit, handover);
  const ways = await waysOf(visit);
  const again = (alert: string) => first(visit, ways, { alert });
  const recognized = await recognize(unit, visit.flow, originIn(visit), handover.proof);
  if (recognized.kind === 'attempt') return conclude(unit, visit, recognized.attempt, again);
  throw new ShownRefusal(again(visit.surroundings.language.say('sign_in.refused')));
}
