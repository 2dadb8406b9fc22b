import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { changeAct, renderChange } from '../page/change.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { facts, frame, panel } from '../view/parts.ts';

interface Preview {
  claims: Record<string, unknown>;
  custom_claims: string[];
  fault: { code: string; message: string } | null;
}

/** Shows the claims that a token would have, as text. */
function showClaims(body: unknown): Html {
  const { claims, custom_claims: custom, fault } = body as Preview;
  return frame(
    'The claims of this user',
    html`<div class="pad">
      ${
        fault !== null &&
        html`<p class="alert">
          The template gives this user no claims (${fault.code}): ${fault.message}. Tokens of this user have the
          standard claims only.
        </p>`
      }
      ${facts([['Set by the template', custom.length === 0 ? 'None' : custom.join(', ')]])}
      <pre tabindex="0" aria-label="Claims"><code>${JSON.stringify(claims, undefined, 2)}</code></pre>
      <p class="hint">Claims of one session are missing: sid, auth_time, iat, exp and jti. No token was issued.</p>
    </div>`,
  );
}

const updateTemplate = changeAct({ operation: 'jwt_template.update' });

const preview: Act = {
  name: 'preview',
  label: 'Preview the claims',
  operation: 'jwt_template.preview',
  call: ({ user_id: userId = '', organization_id: organizationId = '', content = '' }) =>
    call(
      'jwt_template.preview',
      {},
      {},
      {
        user_id: userId.trim(),
        ...(organizationId.trim() !== '' && { organization_id: organizationId.trim() }),
        ...(content.trim() !== '' && { content }),
      },
    ),
  done: 'Nothing was changed.',
  isRead: true,
  show: showClaims,
};

/** The template of custom claims, with a preview for a user. */
export const jwtTemplatePage = consolePage({
  path: 'e/{environment}/jwt-template',
  title: 'JWT template',
  permission: 'config.read',
  menu: { group: 'Settings' },
  acts: [updateTemplate, preview],
  calls: () => ({ template: call<{ content: string; updated_at: string }>('jwt_template.get') }),
  view: ({ template }, visit) => {
    const { content = '' } = template.state === 'shown' ? template.value : {};
    const form = renderAct(visit, preview, {
      fields: {},
      effect: 'Shows the claims that access tokens of a user have. No token is issued, and the template is not saved.',
      more: html`<label class="field"
          >User id
          <input
            name="user_id"
            required
            maxlength="255"
            autocomplete="off"
            placeholder="user_…"
            value="${visit.kept?.user_id ?? ''}"
        /></label>
        <label class="field"
          >Organization id, for a session in it
          <input
            name="organization_id"
            maxlength="255"
            autocomplete="off"
            placeholder="org_…"
            value="${visit.kept?.organization_id ?? ''}"
        /></label>
        <label class="field"
          >Template to try
          <textarea name="content" rows="8" maxlength="16384" spellcheck="false">
${visit.kept?.content ?? content}</textarea>
        </label>`,
    });
    return html`${panel(
      'Claims of access tokens',
      template,
      (value) => html`<pre tabindex="0" aria-label="Template"><code>${value.content}</code></pre>`,
      { none: 'No template: access tokens have the standard claims only. PUT /user_management/jwt_template sets one.' },
    )}${renderChange(visit, updateTemplate, template, 'JWT template')}
    ${form && frame('Preview', html`<div class="pad">${form}</div>`)}`;
  },
});
