import * as z from 'zod';

import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { log } from '../../../kernel/log.ts';
import { type Captcha, findCaptchaFacts } from '../../../kernel/pages/captcha.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Form } from '../flow/step.ts';
import type { Visit } from '../flow/visit.ts';
import { openSecret } from './secret.ts';
import { captchaSettings, type StoredCaptcha } from './settings.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16_384;

const Response = z.object({ success: z.boolean() });

/**
 * Reports whether a person sent a form, by the provider of the environment's captcha; true without one. The provider accepts a
 * token once, so it is asked once in a call, also after a conflict. The address is asked before anything depends on an account.
 */
export async function isByPerson(unit: Unit, visit: Visit, form: Form): Promise<boolean> {
  const { captcha } = visit;
  if (captcha === undefined) return true;
  const token = form[findCaptchaFacts(captcha).field as 'h-captcha-response'];
  if (!token) return false;
  return unit.once('captcha', () => ask(visit, captcha, token));
}

async function ask({ flow: { environmentId }, request }: Visit, captcha: Captcha, token: string): Promise<boolean> {
  const stored = await findSettings(environmentId, captchaSettings);
  try {
    return await verify(stored, captcha, {
      secret: await openSecret(environmentId, stored.sealed),
      response: token,
      remoteip: request.sourceIp,
      sitekey: captcha.siteKey,
    });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    log.warn('the provider of the captcha did not respond', { provider: captcha.provider, reason: error.code });
    return stored.fail_open;
  }
}

/** Asks the provider. @throws EgressError if it cannot be reached, or its response has another form */
async function verify(
  { verify_url: own }: StoredCaptcha,
  captcha: Captcha,
  fields: Record<string, string>,
): Promise<boolean> {
  const { status, body } = await egress().send({
    method: 'POST',
    url: own ?? findCaptchaFacts(captcha).verifyUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(fields).toString(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const parsed = Response.safeParse(readJson(Buffer.from(body).toString('utf8')));
  // Both providers respond with 200 to a wrong token, and say why in the body.
  if (status >= 500 || (status < 400 && !parsed.success)) throw new EgressError('connection_failed');
  return parsed.success && parsed.data.success;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
