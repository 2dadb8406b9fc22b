import { findSettings } from '../../../kernel/environment-settings.ts';
import { log } from '../../../kernel/log.ts';
import { count } from '../../../kernel/metrics.ts';
import type { Claims } from '../../../kernel/tokens/issuer.ts';
import { type TokenSubject, TokenTooBig } from '../access-token/claims.ts';
import { jwtTemplateSection } from './schema.ts';

/**
 * Time limit in ms for a template when a token is made: ten times the limit of the check, so that a busy machine leaves no
 * claims out.
 */
const LIMIT_MS = 1_000;

/** Why a template gives a user no claims. */
export interface TemplateFault {
  code: 'invalid_template' | 'too_big' | 'too_slow';
  message: string;
}

/** Renders a template for a subject, or says why it gives no claims. @param content The template; that of the environment if absent */
export async function previewClaims(
  environmentId: string,
  { user, organization, membership }: TokenSubject,
  content?: string,
): Promise<{ claims: Claims; fault: TemplateFault | null }> {
  const tried = content ?? (await findSettings(environmentId, jwtTemplateSection)).content;
  if (tried === undefined) return { claims: {}, fault: null };
  const { renderClaims, TemplateError } = await import('./render.ts');
  try {
    const context = { user, organization: organization ?? null, organization_membership: membership ?? null };
    return { claims: await renderClaims(tried, context, LIMIT_MS, content === undefined), fault: null };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { claims: {}, fault: { code: error.code, message: error.message } };
  }
}

/**
 * Renders the claims of the environment's template for a subject; there are none without a template. If the template fails
 * for this user, the token has no custom claims, and the failure is logged and counted.
 * @throws TokenTooBig
 */
export async function templateClaims(environmentId: string, subject: TokenSubject): Promise<Claims> {
  const { content } = await findSettings(environmentId, jwtTemplateSection);
  if (content === undefined) return {};
  const { renderClaims, TemplateError } = await import('./render.ts');
  const { user, organization = null, membership = null } = subject;
  try {
    const context = { user, organization, organization_membership: membership };
    return await renderClaims(content, context, LIMIT_MS, true);
  } catch (error) {
    if (error instanceof TemplateError && error.code === 'too_big') throw new TokenTooBig();
    log.warn('the JWT template gave no claims', { user: user.id, error });
    count({ jwt_template_failures: { value: 1, unit: 'Count' } });
    return {};
  }
}
