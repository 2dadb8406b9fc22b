import { stageNewChallenge } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { findPagesHost } from '../../../kernel/pages/host.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { checkRadarChallenge, stageRadarChallengeAgain } from '../../../proofs/radar/public.ts';
import { codeStep } from '../flow/code-step.ts';
import { PATHS } from '../flow/paths.ts';
import { makeView } from '../flow/view.ts';
import { otherUserPage, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from '../verification/page.ts';

function renderPage(visit: Visit, overrides: Partial<CodePage>): Page {
  const { translate } = visit.surroundings.language;
  const isMail = visit.state.pending?.code === 'radar_challenge';
  return codePage(visit.surroundings, {
    ...makeView(visit, PATHS.newDevice),
    title: translate('challenge.title'),
    lead: isMail
      ? translate('challenge.lead_email', { email: visit.state.email ?? '' })
      : translate('challenge.lead_sms'),
    sentBy: isMail ? 'mail' : 'sms',
    other: { address: otherUserPage(visit), label: translate('page.start_again') },
    ...overrides,
  });
}

/** The page for the code of a sign-in on a new device. */
export const newDeviceOperations = codeStep({
  name: 'new_device',
  path: PATHS.newDevice,
  summary: 'The page on which the user confirms a new device',
  waitsFor: ['radar_challenge', 'radar_sms_sign_in_challenge'],
  render: renderPage,
  async resend(unit, _visit, { attempt: { environmentId, user }, pending }) {
    const challenge = { environmentId, id: pending.record.challengeId ?? '' };
    const next = await stageRadarChallengeAgain(unit, challenge, user, findPagesHost());
    if (next !== undefined) stageNewChallenge(unit, pending, next.id);
  },
  check: (unit, _visit, { attempt: { environmentId, user }, pending: { record, token } }, code) =>
    checkRadarChallenge(unit, environmentId, record.challengeId ?? '', code, { userId: user.id, pendingToken: token }),
  proves: { device: true },
});
