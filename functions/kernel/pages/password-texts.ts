import type { Language } from './words/index.ts';

/** The rules for passwords of an environment. */
interface PasswordRules {
  min_length: number;
  min_classes: number;
}

/**
 * The texts for rejected passwords, by error code: each says what to do.
 * @param maximum maximum characters of a password
 */
export function passwordErrorText(
  { translate }: Language,
  code: string,
  rules: PasswordRules,
  maximum: number,
): string {
  if (code === 'password_too_short') return translate('password.too_short', { minimum: rules.min_length });
  if (code === 'password_too_long') return translate('password.too_long', { maximum });
  if (code === 'password_too_uniform') return translate('password.too_uniform', { kinds: rules.min_classes });
  if (code === 'password_contains_email') return translate('password.contains_email');
  return translate('password.too_weak');
}

/** The rules for a new password, shown before the user chooses one. */
export function passwordRulesText(
  { translate }: Language,
  { min_length: minimum, min_classes: kinds }: PasswordRules,
): string {
  const hint = translate('password.hint', { minimum });
  return kinds < 2 ? hint : `${hint} ${translate('password.too_uniform', { kinds })}`;
}
