import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { describeRequest } from '../../../kernel/messages/describe-request.ts';
import { accountField, newPasswordField } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { passwordErrorText, passwordRulesText } from '../../../kernel/pages/password-texts.ts';
import {
  MAX_PASSWORD_CHARACTERS,
  passwordIssues,
  passwordSettings,
  stagePassword,
} from '../../../proofs/modules/credentials/public.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import { findPasswordReason } from '../page/governance.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage, FormRejection } from '../page/page-operations.ts';
import { accountForm } from '../page/render.ts';
import { ownsPassword } from '../page/sign-in-methods.ts';
import { stageStay } from '../session/stage.ts';
import type { Visit } from '../session/visit.ts';

const findObstacle = async (visit: Visit): Promise<string | undefined> =>
  visit.signIn.methods.password ? findPasswordReason(visit) : visit.translate('password.not_allowed');

export const passwordPage: AccountPage = {
  name: 'password',
  section: 'password',
  summary: 'The page on which the user sets or changes the password',
  emits: ['session.revoked'],
  findObstacle,
  async show(visit, { wrong } = { sent: {}, wrong: {} }) {
    const { environmentId, user, translate, surroundings } = visit;
    const { language } = surroundings;
    const policy = await findSettings(environmentId, passwordSettings);
    return {
      title: translate('password.title'),
      lead: translate('password.lead'),
      body: accountForm(
        visit,
        'password',
        html`${accountField(user.email)}
        ${newPasswordField(
          {
            label: language.translate('field.new_password'),
            minimum: policy.min_length,
            hint: passwordRulesText(language, policy),
            wrong: wrong.password,
            first: true,
          },
          language,
        )}
        ${submit(translate('form.save'))}`,
      ),
    };
  },
  async act(visit, { password = '' }, unit) {
    const { environmentId, user, surroundings, session } = visit;
    const { language } = surroundings;
    if (password === '') throw new FormRejection({ password: language.translate('field.password_missing') });
    const [issues, policy, isChange] = await awaitAll([
      passwordIssues(environmentId, password, user),
      findSettings(environmentId, passwordSettings),
      ownsPassword(visit),
    ]);
    const [issue] = issues;
    if (issue !== undefined) {
      const wrong = passwordErrorText(language, issue.code, policy, MAX_PASSWORD_CHARACTERS);
      throw new FormRejection({ password: wrong });
    }
    const changed = await stagePassword(
      unit,
      user,
      { password },
      { revokes: false, request: describeRequest(visit.request) },
    );
    // The session of the application that opened the page stays, since the person in front of it made the change.
    await stageRevocationOfAll(unit, environmentId, user.id, ({ id }) => id !== session?.sessionId);
    if (!isChange) await stageNotice(unit, visit, 'password_set');
    return { done: 'done.password', cookies: await stageStay(unit, visit, changed) };
  },
};

export const passwordOperations = accountPage(passwordPage);
