import { MAX_PASSWORD_CHARACTERS, type PasswordPolicy } from '../../credentials/public.ts';
import type { Language } from '../../kernel/pages/words/index.ts';

/** The texts for rejected passwords, by error code: each says what to do. */
export function passwordErrorText({ translate }: Language, code: string, policy: PasswordPolicy): string {
  if (code === 'password_too_short') return translate('password.too_short', { minimum: policy.min_length });
  if (code === 'password_too_long') return translate('password.too_long', { maximum: MAX_PASSWORD_CHARACTERS });
  if (code === 'password_too_uniform') return translate('password.too_uniform', { kinds: policy.min_classes });
  if (code === 'password_contains_email') return translate('password.contains_email');
  return translate('password.too_weak');
}

/** The rules for a new password, shown before the user chooses one. */
export function passwordRulesText(
  { translate }: Language,
  { min_length: minimum, min_classes: kinds }: PasswordPolicy,
): string {
  const hint = translate('password.hint', { minimum });
  return kinds < 2 ? hint : `${hint} ${translate('password.too_uniform', { kinds })}`;
}
