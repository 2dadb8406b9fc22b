import type { FormBinding } from './form.ts';

/** What the pages of a sign-in share. */
export interface SignInView {
  binding: FormBinding;
  /** Where the form goes: the page itself. */
  action: string;
  /** Where answers to the form may redirect to, as sources of a Content Security Policy. */
  targets: readonly string[];
  alert?: string | undefined;
  notice?: string | undefined;
  email?: string | undefined;
}
