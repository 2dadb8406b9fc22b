import { usePending } from '../../authentication/public.ts';
import type { Page } from '../../kernel/http/refusal.ts';
import { checkRadarChallenge } from '../../radar/public.ts';
import { conclude } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { countTry, resumeIn, wrongCodeSaid } from '../flow/pending.ts';
import { ShownRefusal } from '../flow/refusals.ts';
import { step } from '../flow/step.ts';
import { viewOf } from '../flow/view.ts';
import { pageIn, redirect, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from '../verification/page.ts';

const STEPS = ['radar_challenge', 'radar_sms_sign_in_challenge'] as const;

function shown(visit: Visit, told: Partial<CodePage> = {}): Page {
  const { say } = visit.surroundings.language;
  const isMail = visit.state.pending?.code === 'radar_challenge';
  return codePage(visit.surroundings, {
    ...viewOf(visit, PATHS.newDevice),
    title: say('challenge.title'),
    lead: isMail ? say('challenge.lead_email', { email: visit.state.email ?? '' }) : say('challenge.lead_sms'),
    canResend: false,
    other: { address: pageIn(visit, PATHS.signIn), label: say('challenge.other') },
    ...told,
  });
}

/** The page for the code that a sign-in on a new device asks for. */
export const newDeviceOperations = step({
  name: 'new_device',
  path: PATHS.newDevice,
  summary: 'The page to confirm a new device on',
  async show(visit, _unit, notice) {
    const resumed = await resumeIn(visit, STEPS);
    return resumed === undefined ? redirect(pageIn(visit, PATHS.signIn)) : shown(visit, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, STEPS);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const { user, environmentId } = attempt;
    const { say } = visit.surroundings.language;
    const again = (alert: string): Page => shown(visit, { alert });
    if (!form.code) throw new ShownRefusal(shown(visit, { wrong: say('field.code_missing') }));
    const tooMany = await countTry(unit, visit, { userId: user.id });
    if (tooMany !== undefined) throw new ShownRefusal(again(tooMany));
    const binding = { userId: user.id, pendingToken: pending.token };
    const id = pending.record.challengeId ?? '';
    const outcome = await checkRadarChallenge(unit, environmentId, id, form.code, binding);
    if (outcome !== 'valid') throw new ShownRefusal(shown(visit, { wrong: wrongCodeSaid(visit, outcome) }));
    usePending(unit, pending);
    return conclude(unit, visit, { ...attempt, proofs: { ...attempt.proofs, device: true } }, again);
  },
});
