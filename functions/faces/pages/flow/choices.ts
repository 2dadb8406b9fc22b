import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { formatDuration } from '../../../kernel/locale.ts';
import { checkbox } from '../../../kernel/pages/fields.ts';
import type { Html } from '../../../kernel/pages/html.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { AuthorizationRequest } from '../../../sign-in/modules/sign-in-flows/public.ts';
import type { FlowState } from './state.ts';

/**
 * The days for which a browser can be trusted with the second factor. Undefined if the environment does not offer it, and for
 * a sign-in that needs a new authentication: `prompt=login`, `max_age`, and the account page, of which it is the proof.
 */
export async function findTrustDays({
  environmentId,
  prompt = '',
  maxAge,
  account,
}: AuthorizationRequest): Promise<number | undefined> {
  const { device_trust: trust } = await findSettings(environmentId, signInSettings);
  const isStepUp = prompt.split(' ').includes('login') || maxAge !== undefined || account !== undefined;
  return trust.enabled && !isStepUp ? trust.days : undefined;
}

/** The choice not to be asked for a second factor again, if the sign-in offers it. */
export const trustChoice = ({
  trustDays,
  surroundings: { language },
}: {
  trustDays: number | undefined;
  surroundings: Surroundings;
}): Html | undefined =>
  trustDays === undefined
    ? undefined
    : checkbox(
        'trust',
        language.translate('challenge.trust', { duration: formatDuration(language.locale, trustDays, 'day') }),
      );

/** The choice to stay signed in, if the environment lets its users choose. */
export const stayChoice = ({ settings, language }: Surroundings): Html | undefined =>
  settings.stay_signed_in === 'ask' && settings.browser_session_seconds > 0
    ? checkbox('stay', language.translate('page.stay'))
    : undefined;

/** The fields of the choices in a form. */
interface Choices {
  stay?: string | undefined;
  trust?: string | undefined;
}

/** The visit with the choices of its form, which the next pages keep. */
export const withChoices = <V extends { state: FlowState }>(visit: V, { stay, trust }: Choices): V => ({
  ...visit,
  state: { ...visit.state, ...keepChoices(visit.state), ...ticked('stays', stay), ...ticked('trusts', trust) },
});

const ticked = (name: 'stays' | 'trusts', value: string | undefined) => (value === 'on' ? { [name]: true } : {});

/** The choices in the state of a sign-in. */
export const keepChoices = ({ stays, trusts }: FlowState): Pick<FlowState, 'stays' | 'trusts'> => ({ stays, trusts });
