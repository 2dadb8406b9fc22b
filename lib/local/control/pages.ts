import { randomBytes } from 'node:crypto';

import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import type { Html } from '../../../functions/kernel/pages/html.ts';
import { pagesSettings } from '../../../functions/kernel/pages/settings.ts';
import { brandFrame, brandPage, readBrandQuery } from '../page/brand/brand.ts';
import { applyEntered } from '../page/brand/editor.ts';
import { enterFurther, FURTHER_FORMS, readFurther } from '../page/brand/further.ts';
import { faultsPage } from '../page/faults.ts';
import { type LocalPage, localPage } from '../page/layout.ts';
import { mailFrame, mailList, mailPage, readMailQuery } from '../page/mail.ts';
import { type Entered, peoplePage } from '../page/users.ts';
import { startPage } from '../page/start.ts';
import type { Controls } from './controls.ts';
import { type FormPage, makeActs, NOTICES } from './forms.ts';
import { type OwnApi, ownApi, readPeople } from './own-api.ts';
import type { Reply } from './replies.ts';

/** A mail cannot run scripts, send forms or load anything but pictures, and its links open in tabs of their own. */
const MAIL_POLICY =
  `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; ` +
  `img-src https: data:; form-action 'none'; frame-ancestors 'self'`;

/** A sample loads nothing but pictures, and nothing in it works. */
const SAMPLE_POLICY = `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; form-action 'none'; frame-ancestors 'self'`;

/** The pages of `/_local` for people, and their forms. */
export class LocalPages {
  readonly #controls: Controls;
  readonly #api: OwnApi;
  readonly #acts: ReturnType<typeof makeActs>;
  #isLoaded = false;

  constructor(controls: Controls) {
    this.#controls = controls;
    this.#api = ownApi(controls.localUrl, controls.apiKey);
    this.#acts = makeActs(controls, this.#api);
  }

  /** Responds to a form. @returns undefined for an unknown name */
  async submit(name: string, fields: Entered): Promise<Reply | undefined> {
    const act = Object.hasOwn(this.#acts, name) ? this.#acts[name] : undefined;
    if (act === undefined) return undefined;
    const result = await act(fields);
    if ('location' in result) return result;
    const content = await this.#formPage(result.again, fields);
    return this.#render({ ...content, alert: result.alert }, 422);
  }

  /** Responds with a page. @returns undefined for an unknown name */
  async show(name: string, query: URLSearchParams): Promise<Reply | undefined> {
    const notice = NOTICES[query.get('done') ?? ''];
    if (name === '') {
      await this.#load();
      return this.#render({ ...(await this.#start(query.get('show') ?? '')), notice });
    }
    if (name === 'people' || name === 'faults') return this.#render({ ...(await this.#formPage(name, {})), notice });
    if (name === 'mail') return this.#mail(query);
    if (name === 'brand') {
      return this.#render({ ...(await this.#brand(query, {})), notice });
    }
    if (name === 'brand/frame') {
      const frame = await brandFrame(readBrandQuery(query), this.#controls.environmentId);
      return frame === undefined ? undefined : { frame, policy: SAMPLE_POLICY };
    }
    const [, id = '', isFrame] = /^mail\/([\w-]+)(\/html)?$/.exec(name) ?? [];
    const message = this.#controls.findMessage(id);
    if (message === undefined) return undefined;
    const chosen = readMailQuery(query, message);
    if (isFrame !== undefined) {
      return message.html === null ? undefined : { frame: mailFrame(message.html, chosen.scheme), policy: MAIL_POLICY };
    }
    const trace = this.#controls.timeline.findByMessage(id);
    const content = mailPage(message, chosen, trace && `trace-${trace.key}`);
    return this.#render({ title: message.subject ?? 'Text message', name: 'mail', content, notice });
  }

  #mail(query: URLSearchParams): Reply {
    const to = query.get('to')?.trim() ?? '';
    const messages = this.#controls.messages(to === '' ? undefined : to);
    return this.#render({ title: 'Mail', name: 'mail', content: mailList(messages, to) });
  }

  /** The brand page with the settings as they are, or as they were entered in a form that was rejected. */
  async #brand(query: URLSearchParams, entered: Entered): Promise<LocalPage> {
    const [{ body }, style, captcha] = await awaitAll([
      this.#api('GET', '/x/pages/settings'),
      this.#api('GET', '/x/pages/style'),
      this.#api('GET', '/x/pages/captcha'),
    ]);
    const current = pagesSettings.schema.parse(body);
    const rejected = FURTHER_FORMS.find((name) => name === entered.form);
    const isRejected = rejected === undefined && Object.keys(entered).length > 0;
    const settings = isRejected ? { ...current, ...applyEntered(current, entered) } : current;
    const stored = readFurther(current.texts, style.body, captcha.body);
    const further = { values: rejected === undefined ? stored : enterFurther(stored, entered), rejected };
    const content = brandPage(readBrandQuery(query), { settings, further, url: this.#controls.url, isRejected });
    return { title: 'Brand', name: 'brand', content };
  }

  #formPage(name: FormPage, entered: Entered): Promise<LocalPage> | LocalPage {
    if (name === 'start') return this.#start('');
    if (name === 'brand') return this.#brand(new URLSearchParams(entered), entered);
    if (name === 'faults') {
      return { title: 'Faults', name, content: faultsPage(this.#controls.faults(), entered) };
    }
    const page = async (): Promise<Html> => peoplePage(this.#controls, await readPeople(this.#api), entered);
    return page().then((content) => ({ title: 'Users and organizations', name, content }));
  }

  async #start(show: string): Promise<LocalPage> {
    const people = await readPeople(this.#api);
    return { title: 'Start', name: '', content: startPage(this.#controls, people, show) };
  }

  /** Adds what an earlier process has stored to the timeline, at the first visit. */
  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const { timeline, storedEvents, messages } = this.#controls;
    timeline.load(await storedEvents(), messages(undefined));
  }

  #render(page: LocalPage, status = 200): Reply {
    const { timeline, clockOffsetSeconds } = this.#controls;
    const nonce = randomBytes(16).toString('base64');
    const since = `${timeline.epoch}.${timeline.revision}`;
    return { status, nonce, page: localPage(page, { nonce, since, clockOffsetSeconds: clockOffsetSeconds() }) };
  }
}
