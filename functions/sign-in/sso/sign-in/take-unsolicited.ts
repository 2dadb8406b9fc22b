import { type AuthorizationParameters, findEventOrigin, startFlow } from '../../modules/sign-in-flows/public.ts';
import { readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { browserHash, newBrowserValue } from '../../../kernel/http/browser.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import { setCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { samlDetails } from '../attempt/details.ts';
import { prepareAttempt, stageAttempt } from '../attempt/stage.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { ssoSignIns } from './entity.ts';
import { ssoEvent } from './events.ts';
import { isUsed, readResponse, REPLAYED, stageUseOfAssertion, verifySaml } from './respond.ts';
import type { Started } from './start.ts';
import { bindingOf, continueAt, KEPT_SECONDS, LIFE_SECONDS, mintState, encryptResponse, sealSecrets } from './state.ts';

/** The reason why no sign-in begins, which the application and the administrator see. */
interface Reason {
  code: string;
  message: string;
}

/**
 * Verifies an unsolicited SAML response of a connection that accepts them, and begins a sign-in with it. The sign-in is
 * bound to the browser that brought the response, and waits for the person on a page: the response itself could come from
 * another person (login CSRF). An assertion counts once and for five minutes. A response that begins no sign-in emits no
 * event; its attempt has the reason for the administrator.
 * @param application the parameters of the sign-in, with a registered redirect URI
 * @returns the redirect to the page, or to the application with an error
 */
export async function takeUnsolicited(
  record: ConnectionRecord,
  response: string,
  application: AuthorizationParameters,
  request: IncomingRequest,
): Promise<Started> {
  const { environmentId, organizationId, id: connectionId } = record;
  const outcome = await verifySaml(record, response, undefined);
  const received = readResponse(record, outcome, undefined);
  const attempt = await prepareAttempt(record, samlDetails(record, outcome, received));
  const { ipAddress, userAgent } = readClientContext('public', {}, request);
  const client = { ipAddress: ipAddress ?? undefined, userAgent: userAgent ?? undefined };
  const made = { environmentId, connectionId, organizationId, kind: 'unsolicited' as const, ...client };
  const [key, value] = [mintState(environmentId), newBrowserValue()];
  const own = { environmentId, id: key.id };
  const endsAt = clock.seconds() + LIFE_SECONDS;
  const bound = { ...own, endsAt, expiresAt: endsAt + KEPT_SECONDS, browserHash: browserHash(value), ...client };
  const reason = await applyWork(environmentId, systemActor, async (unit: Unit<'authentication.sso_started'>) => {
    const isReplay = await isUsed(record, outcome);
    const rejected: Reason | undefined = received.kind === 'failure' ? received : isReplay ? REPLAYED : undefined;
    stageAttempt(unit, { ...made, error: rejected }, attempt);
    if (received.kind === 'failure' || isReplay) return rejected;
    unit.setOrigin(findEventOrigin({ environmentId, application: undefined, analytics: undefined }));
    const { id: flowId } = startFlow(unit, environmentId, application);
    const { email } = received.identity;
    const { record: signIn, write } = ssoSignIns.create({
      ...bound,
      connectionId,
      organizationId,
      email,
      purpose: application.isForProfile === true ? 'sso' : 'user_management',
      attemptId: attempt.id,
      sealed: sealSecrets(own, key.state, { flowId, needsConsent: true }),
      response: encryptResponse(own, key.state, received),
    });
    unit.stage(write);
    stageUseOfAssertion(unit, record, outcome);
    unit.emit('authentication.sso_started', ssoEvent('started', signIn, { email }), { organizationId });
    return undefined;
  });
  if (reason !== undefined) return { location: rejection(application, reason), cookies: [] };
  return { location: continueAt(key.state), cookies: [setCookie(bindingOf(key.id), value)] };
}

/** Returns the URL of the application with the error. An assertion that was presented before is rejected like an invalid one. */
const rejection = (application: AuthorizationParameters, { code, message }: Reason): string =>
  redirectTo(application, {
    error: code === REPLAYED.code ? 'access_denied' : code,
    error_description: message,
  });
