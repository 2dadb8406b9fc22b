import { messagesWith400 } from '../../kernel/http/error-response.ts';
import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { assetsOperations } from './assets/operations.ts';
import { captchaOperations } from './captcha/operations.ts';
import { approvalOperations } from './device/approval-operations.ts';
import { agentLinkOperations } from './agent/link-operations.ts';
import { agentOperations } from './agent/operations.ts';
import { consentOperations } from './consent/operations.ts';
import { deviceOperations } from './device/operations.ts';
import { emailOperations } from './email/operations.ts';
import { endingOperations } from './ending/operations.ts';
import { externalOperations } from './external/operations.ts';
import { pageErrorForm } from './flow/errors.ts';
import { invitationPageOperations } from './invitation/operations.ts';
import { magicCodeOperations } from './magic-code/operations.ts';
import { newDeviceOperations } from './new-device/operations.ts';
import { phoneOperations } from './new-device/phone-operations.ts';
import { organizationOperations } from './organization/operations.ts';
import { forgotOperations } from './password-reset/forgot-operations.ts';
import { passwordResetPageOperations } from './password-reset/operations.ts';
import { passkeyChallengeOperations } from './passkey/challenge-operations.ts';
import { passkeyOfferOperations } from './passkey/offer-operations.ts';
import { passkeySignInOperations } from './passkey/sign-in-operations.ts';
import { ownStyleOperations } from './own-style/operations.ts';
import { recoveryOperations } from './recovery/operations.ts';
import { languageOperations } from './language/operations.ts';
import { factorOfferOperations } from './second-factor/offer-operations.ts';
import { secondFactorOperations } from './second-factor/operations.ts';
import { requiredSsoOperations } from './required-sso/operations.ts';
import { signInOperations } from './sign-in/operations.ts';
import { socialReturnOperations } from './sign-in/social-operations.ts';
import { signUpOperations } from './sign-up/operations.ts';
import { previewOperations } from './preview/operations.ts';
import { verificationOperations } from './verification/operations.ts';
import { pagesSettings } from '../../kernel/pages/settings.ts';

export const pagesArea = area({
  name: 'pages',
  group: 'faces',
  summary: 'The hosted pages: sign-in, sign-up, sign-out, codes, passwords, second factors, organizations, devices',
  errorForm: pageErrorForm,
  needs: ['table', 'keys', 'egress', 'base-url'],
  operations: [
    ...signInOperations,
    ...socialReturnOperations,
    ...requiredSsoOperations,
    ...emailOperations,
    ...magicCodeOperations,
    ...signUpOperations,
    ...verificationOperations,
    ...secondFactorOperations,
    ...factorOfferOperations,
    ...recoveryOperations,
    ...languageOperations,
    ...passkeySignInOperations,
    ...passkeyChallengeOperations,
    ...passkeyOfferOperations,
    ...newDeviceOperations,
    ...phoneOperations,
    ...organizationOperations,
    ...forgotOperations,
    ...passwordResetPageOperations,
    ...invitationPageOperations,
    ...deviceOperations,
    ...approvalOperations,
    ...agentLinkOperations,
    ...agentOperations,
    ...consentOperations,
    ...externalOperations,
    ...assetsOperations,
    ...captchaOperations,
    ...ownStyleOperations,
    ...previewOperations,
    ...endingOperations,
    ...settingsOperations(pagesSettings, {
      id: 'pages',
      path: '/x/pages/settings',
      subject: 'the hosted pages',
      description:
        'The settings are brand, colours, font, links, texts by language, the form of the first page, and how long a browser stays signed in. Colours are checked: text with too little contrast to its background (WCAG 2.2, 4.5 : 1) is rejected.',
      errorForm: messagesWith400,
    }),
  ],
  workers: [],
});
