import { browser } from '../support/browser.ts';
import { startFront } from './front.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

/** The first operator opens the console at its own host name, by the link in the secret of the first key. */
export const consoleFlow = (steps: Steps, { connection, consoleUrl, operatorLink, environmentId }: DeployedStage) =>
  steps.flow('console', async (step) => {
    const front = await startFront(consoleUrl);
    try {
      // The pages have the stage's own host name, which this machine's resolver may not know.
      const person = browser({}, (url, init) => fetch(url.replace(consoleUrl, front.url), init));
      const ask = (path: string) => person.request(`${consoleUrl}${path}`);
      await step('its host asks a browser without a session to sign in', async () => {
        const { status, text } = await ask('/console');
        must(status === 401 && text.includes('Sign in'), [status, text.slice(0, 300)]);
      });
      await step('its host has no path of the API, and the API none of the console', async () => {
        must((await ask('/organizations')).status === 404, 'the console has /organizations');
        const { status } = await connection.send({ method: 'GET', path: '/console', key: null });
        must(status === 404, `the API responds to /console with ${status}`);
      });
      await step('the first operator signs in by the link', async () => {
        const page = await person.submit(await person.open(`${consoleUrl}${operatorLink}`), {
          email: 'ada@trial.example',
        });
        const location = page.headers.get('location');
        must(location === null || location === `${consoleUrl}/console`, location);
      });
      await step('and sees the environment', async () => {
        const { status, text } = await ask('/console');
        must(status === 200 && text.includes(environmentId), [status, text.slice(0, 300)]);
      });
      await step('and its style sheet loads from the same host', async () => {
        const [, path = ''] = /rel="stylesheet" href="([^"]+)"/.exec((await ask('/console')).text) ?? [];
        const { status, headers } = await ask(path);
        must(status === 200 && headers.get('content-type')?.startsWith('text/css') === true, [path, status]);
      });
    } finally {
      await front.close();
    }
  });
