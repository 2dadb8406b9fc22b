import { html, type Html } from '../../../functions/kernel/pages/html.ts';

/** A page of the identity provider, with the nonce of its style and script. */
export interface IdpPage {
  text: string;
  nonce: string;
}

const STYLE =
  'body{font:16px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}' +
  'label{display:block;margin:.75rem 0}input{display:block;width:100%;font:inherit;padding:.4rem;box-sizing:border-box}' +
  'button{font:inherit;padding:.5rem 1rem;margin:.5rem .5rem 0 0}small{display:block}li{margin:.5rem 0}';

const page = (nonce: string, title: string, body: Html, script = ''): IdpPage => ({
  nonce,
  text: `<!doctype html>${
    html`<html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <link rel="icon" href="data:," />
      <style nonce="${nonce}">
        ${STYLE}
      </style>
      <h1>${title}</h1>
      ${body}
    </html>`.text
  }${script === '' ? '' : `<script nonce="${nonce}">${script}</script>`}`,
});

/** The email address of a person at the provider. */
export interface Person {
  email: string;
  guest: string;
}

/** The page on which a person signs in. A guest has an address at another domain. */
export const signInPage = (
  nonce: string,
  fields: Readonly<Record<string, string>>,
  { email, guest }: Person,
): IdpPage =>
  page(
    nonce,
    'Test identity provider',
    html`<p>It asks for no password: whatever address you enter is signed and sent to the service.</p>
      <form method="post" action="/_local/idp/respond">
        ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <label>Email <input name="email" type="email" required value="${email}" /></label>
        <label>First name <input name="first_name" value="Grace" /></label>
        <label>Last name <input name="last_name" value="Hopper" /></label>
        <label>Groups, separated by commas <input name="groups" value="Engineering" /></label>
        <button name="scenario" value="sign-in">Sign in</button>
        <button name="scenario" value="guest">Sign in as ${guest}</button>
        <button name="scenario" value="error">Respond with an error</button>
      </form>`,
  );

/** A connection to which the provider can start a sign-in. */
export interface Tile {
  name: string;
  acsUrl: string;
  audience: string;
  domain: string;
}

/** The start page with the applications of the provider, each of which starts a sign-in there. */
export const tilesPage = (nonce: string, tiles: readonly Tile[], setup: string): IdpPage =>
  page(
    nonce,
    'Test identity provider',
    html`<p>Begin a sign-in here, as from the page of an identity provider:</p>
      <ul>
        ${tiles.map(
          ({ name, acsUrl, audience, domain }) =>
            html`<li>
              <form method="get" action="/_local/idp/tile">
                <input type="hidden" name="acs" value="${acsUrl}" /><input
                  type="hidden"
                  name="audience"
                  value="${audience}"
                /><input type="hidden" name="domain" value="${domain}" /><button>${name}</button>
              </form>
            </li>`,
        )}
      </ul>
      ${tiles.length === 0 ? html`<p>There is no connection of the type TestIdp yet.</p>` : ''}
      <p>
        A connection of any organization is made with <code>saml_options</code> of <a href="${setup}">${setup}</a>.
      </p>`,
  );

/** The page that posts a response to the service (HTTP-POST binding). */
export const postPage = (nonce: string, acsUrl: string, fields: Readonly<Record<string, string>>): IdpPage =>
  page(
    nonce,
    'Back to the service',
    html`<form method="post" action="${acsUrl}">
      ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button>Continue</button>
    </form>`,
    'document.forms[0].submit()',
  );
