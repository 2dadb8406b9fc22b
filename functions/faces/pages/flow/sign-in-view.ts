import type { Captcha } from '../../../kernel/pages/captcha.ts';
import type { FormBinding } from '../../../kernel/pages/form.ts';

/** The common arguments of the pages of a sign-in. */
export interface SignInView {
  binding: FormBinding;
  /** The target of the form, which is the page itself. */
  action: string;
  /** Redirect targets of responses to the form, as sources of a Content Security Policy. */
  targets: readonly string[];
  alert?: string | undefined;
  notice?: string | undefined;
  email?: string | undefined;
  /** The captcha in the form, on a page that mails any address. */
  captcha?: Captcha | undefined;
  /** The client id for which the page reports signals to Radar; absent if it does not. */
  signals?: string | undefined;
}
