import { findPagesHost } from '../../../kernel/pages/host.ts';
import type { Resumed } from '../../../sign-in/modules/sign-in/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { phoneNumber as phoneNumberOf } from '../../../kernel/address.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { checkRadarChallenge, stageRadarChallenge } from '../../../proofs/radar/public.ts';
import { codeStep } from '../flow/code-step.ts';
import { PATHS } from '../flow/paths.ts';
import { resumeIn } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from '../verification/page.ts';
import { phonePage, type PhonePage } from './phone-page.ts';

const STEPS = ['radar_sign_up_challenge'] as const;
const CODE = `${PATHS.telephone}/code`;

const renderPage = (visit: Visit, overrides: Partial<PhonePage> = {}): Page =>
  phonePage(visit.surroundings, { ...makeView(visit, PATHS.telephone), ...overrides });

/** Sends a code to a phone number, and stores its challenge. @throws Failure 429 */
async function send(unit: Unit, visit: Visit, { attempt, pending }: Resumed, phoneNumber: string): Promise<void> {
  const { environmentId, user } = attempt;
  const clientAddress = visit.request.sourceIp;
  const wanted = { environmentId, user, kind: 'sms', phoneNumber, pendingToken: pending.token, clientAddress } as const;
  const { id: challengeId } = await stageRadarChallenge(unit, { ...wanted, host: findPagesHost() });
  stageState(unit, visit, { ...visit.state, telephone: { challengeId, phoneNumber } });
}

/** Sends a code to the phone number that the user entered. */
async function sendTo(unit: Unit, visit: Visit, resumed: Resumed, typed: string): Promise<PageReply> {
  const { translate } = visit.surroundings.language;
  const phoneNumber = phoneNumberOf(typed.replace(/[\s().-]/g, ''));
  if (phoneNumber === undefined)
    throw new RejectedForm(renderPage(visit, { phoneNumber: typed, wrong: translate('phone.invalid') }));
  await renderWithAlert(
    visit,
    (alert) => renderPage(visit, { phoneNumber: typed, alert }),
    () => send(unit, visit, resumed, phoneNumber),
  );
  return redirect(pageIn(visit, CODE));
}

/** The page on which a new user enters a phone number. */
const numberStep = step({
  name: 'telephone',
  path: PATHS.telephone,
  summary: 'The page on which the user enters a phone number',
  async show(visit, _unit, notice) {
    const resumed = await resumeIn(visit, STEPS);
    return resumed === undefined ? redirect(pageIn(visit, PATHS.signIn)) : renderPage(visit, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, STEPS);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    return sendTo(unit, visit, resumed, form.phone_number ?? '');
  },
});

function renderCodePage(visit: Visit, overrides: Partial<CodePage>): Page | undefined {
  const { telephone } = visit.state;
  if (telephone === undefined) return undefined;
  const { translate } = visit.surroundings.language;
  return codePage(visit.surroundings, {
    ...makeView(visit, CODE),
    title: translate('phone.title'),
    lead: translate('phone.sent', { phone: telephone.phoneNumber }),
    sentBy: 'sms',
    other: { address: pageIn(visit, PATHS.telephone), label: translate('phone.change') },
    ...overrides,
  });
}

/** The page for the code that was sent to that number. */
const phoneCodeStep = codeStep({
  name: 'telephone_code',
  path: CODE,
  summary: 'The page on which the user enters the code that was sent by SMS',
  waitsFor: STEPS,
  render: renderCodePage,
  resend: (unit, visit, resumed) => send(unit, visit, resumed, visit.state.telephone?.phoneNumber ?? ''),
  check(unit, { state }, { attempt: { environmentId, user }, pending }, code) {
    const { challengeId = '', phoneNumber } = state.telephone ?? {};
    const binding = { userId: user.id, pendingToken: pending.token, phoneNumber };
    return checkRadarChallenge(unit, environmentId, challengeId, code, binding);
  },
  proves: { device: true },
});

export const phoneOperations = [...numberStep, ...phoneCodeStep] as const;
