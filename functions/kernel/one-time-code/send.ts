import type * as z from 'zod';

import { awaitAll } from '../concurrency.ts';
import { composeMessage } from '../messages/compose.ts';
import type { RequestOfMail } from '../messages/templates/request-facts.ts';
import type { Template } from '../messages/template.ts';
import type { Unit } from '../storage/unit.ts';
import { CODE_SECONDS } from './code.ts';
import type { CodeSubject, CurrentCode } from './entity.ts';
import { type NewCode, stageCode } from './stage.ts';

/** The mail of a code. */
interface CodeMail<Values extends z.ZodType<unknown, { code: string; minutes: number }>> {
  to: string;
  template: Template<string, Values>;
  /** The reader's language (BCP 47) if known. */
  locale: string | undefined;
  /** The request that asked for the code, which the mail describes; absent if it is that of a back end. */
  request?: RequestOfMail | undefined;
  /** Counts the sending in parallel with the other reads. @throws Failure with 429 if too many were sent */
  count: () => Promise<unknown>;
}

/**
 * Stages a new code in place of the subject's previous one, and the mail with it. It is valid for {@link CODE_SECONDS} seconds.
 * @returns the code's record, whose `updatedAt` is the start of its lifetime
 */
export async function sendCode<Values extends z.ZodType<unknown, { code: string; minutes: number }>>(
  unit: Unit<never>,
  place: CodeSubject,
  code: NewCode,
  { to, template, locale, request, count }: CodeMail<Values>,
): Promise<CurrentCode> {
  const [staged] = await awaitAll([stageCode(unit, place, code), count()]);
  const message = await composeMessage({
    environmentId: place.environmentId,
    channel: 'email',
    to,
    template,
    values: { code: staged.code, minutes: CODE_SECONDS / 60, request } as unknown as z.input<Values>,
    locale,
    owner: code.owner,
    usefulSeconds: CODE_SECONDS,
  });
  unit.stage(message);
  return staged.record;
}
