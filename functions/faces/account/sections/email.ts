import { isDeliverable, normalizeEmail } from '../../../kernel/address.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError } from '../../../kernel/errors.ts';
import { queryObject } from '../../../kernel/http/input.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { codeField, field } from '../../../kernel/pages/fields.ts';
import { otherwise, submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { isSuppressed } from '../../../outbound/messages/public.ts';
import { changeEmail, stageEmailChange } from '../../../proofs/modules/email-proofs/public.ts';
import { userManagementSettings } from '../../../tenancy/modules/users/public.ts';
import { findGovernedReason } from '../page/governance.ts';
import {
  type AccountPage,
  accountPage,
  FormRejection,
  type Outcome,
  type Rejected,
  type Sent,
} from '../page/page-operations.ts';
import { accountForm, hidden, renderPage } from '../page/render.ts';
import { stageStay } from '../session/stage.ts';
import { accountPath, type Visit } from '../session/visit.ts';

async function findObstacle(visit: Visit): Promise<string | undefined> {
  const { email_change: isAllowed } = await findSettings(visit.environmentId, userManagementSettings);
  return isAllowed ? findGovernedReason(visit) : visit.translate('email.not_allowed');
}

async function show(visit: Visit, { sent, wrong }: Rejected = { sent: {}, wrong: {} }): Promise<Content> {
  const { user, translate, surroundings } = visit;
  const { language } = surroundings;
  const title = translate('email.title');
  const step = sent.step ?? queryObject(visit.request.rawQuery).step;
  if (step === 'code') {
    const fields = html`${hidden('step', 'code')} ${codeField({ wrong: wrong.code }, language)}
    ${submit(translate('email.confirm'))} ${otherwise('restart', translate('email.other'))}`;
    return { title, lead: translate('email.sent'), body: accountForm(visit, 'email', fields) };
  }
  const fields = html`${field(
    {
      name: 'new_email',
      label: translate('email.field'),
      type: 'email',
      autocomplete: 'email',
      value: sent.new_email,
      wrong: wrong.new_email,
      first: true,
      more: { inputmode: 'email', spellcheck: 'false', autocapitalize: 'none' },
    },
    language,
  )}
  ${submit(translate('email.send'))}`;
  const isBounced = await isSuppressed(user.environmentId, user.email);
  return {
    title,
    lead: translate('email.lead', { email: user.email }),
    alert: isBounced ? translate('email.bounced') : undefined,
    body: accountForm(visit, 'email', fields),
  };
}

/** The rejection of an address that another user has. */
const taken = declareError({
  status: 409,
  code: 'email_not_available',
  message: 'Another user has this email address.',
});

async function act(visit: Visit, sent: Sent, unit: Unit): Promise<Outcome> {
  const { user, translate, surroundings, environmentId } = visit;
  const { language } = surroundings;
  const here = accountPath(environmentId, 'email');
  if (sent.do === 'restart') return { to: 'email' };
  if (sent.step !== 'code') {
    const newEmail = normalizeEmail(sent.new_email ?? '');
    if (newEmail === undefined || !isDeliverable(newEmail))
      throw new FormRejection({ new_email: language.translate('field.email_invalid') });
    if (newEmail === user.email) throw new FormRejection({ new_email: translate('email.same') });
    // The form does not check for another user with the address: anyone with an account could try any address.
    await stageEmailChange(unit, user, { newEmail });
    return { location: `${here}?step=code` };
  }
  if (!sent.code) throw new FormRejection({ code: language.translate('field.code_missing') });
  // Only the reader of the mailbox gets this error, and may learn that another user has the address.
  const page = renderPage(visit, { ...(await show(visit)), alert: translate('email.taken') });
  const { outcome, changed } = await changeEmail(unit, user, sent.code, new PageFailure(taken, page));
  if (changed !== undefined) return { done: 'done.email', cookies: await stageStay(unit, visit, changed) };
  if (outcome === 'none' || outcome === 'valid') return { to: 'email' };
  const key = outcome === 'invalid' ? 'wrong' : outcome;
  const text = language.translate(key === 'too_many_attempts' ? 'code.too_many' : `code.${key}`);
  throw new FormRejection({ code: text });
}

export const emailPage: AccountPage = {
  name: 'email',
  section: 'email',
  summary: 'The page on which the user changes the email address',
  emits: ['user.updated', 'session.revoked'],
  findObstacle,
  show,
  act,
  errors: [taken],
};

export const emailOperations = accountPage(emailPage);
