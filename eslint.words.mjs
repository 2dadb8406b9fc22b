/**
 * `words/plain`: texts, test titles and comments use plain technical English, the words of the RFCs, of AWS and of the contract.
 * Every idiom has the words that replace it in its message. `words/sentence`: a comment does not begin with a clause that
 * depends on nothing.
 */
const IDIOMS = [
  ['whoever|whomever|whom', 'the user who, the caller, the person who'],
  ['somebody|nobody|anybody|everybody', 'a user, no user, any caller, every user'],
  ['for good', 'permanently'],
  ['as good as', 'treated as'],
  ['stands?|stood', 'is'],
  ['kill(?:s|ed|ing)?(?! -9)', 'invalidate'],
  ['alone', 'only'],
  ['(?:is|are) none of', 'is not one of'],
  ['tells?|told|telling|untold', 'report, inform, notify, reveal, send'],
  ['besides?', 'next to, also, in addition'],
  ['telephones?', 'phone, phone number'],
  ['refus\\w*', 'reject'],
  ['hopeless|farewell', 'a literal name'],
  ['ways? (?:to|of) sign\\w*|closed way', 'sign-in method'],
  ['under way', 'in progress'],
  ['lets? (?:\\w+ )?in|gets? in', 'accept, sign in'],
].map(([words, instead]) => ({ pattern: new RegExp(`\\b(?:${words})\\b`, 'i'), instead }));

/** Shorter texts are names, codes or parts of a query. */
const FEWEST_WORDS = 3;

const TESTS = new Set(['describe', 'it', 'test']);

/** Reports whether an expression is `test`, `it.each([...])`, `describe.each` and the like. */
function isTest(callee) {
  if (callee.type === 'CallExpression') return isTest(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return isTest(callee.tag);
  if (callee.type === 'MemberExpression') return isTest(callee.object);
  return callee.type === 'Identifier' && TESTS.has(callee.name);
}

const partsOf = (node) => {
  if (node?.type === 'TemplateLiteral') return node.quasis.map((quasi) => quasi.value.cooked ?? '');
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [];
};

/** The prose of a comment: without the codes and names that it quotes, and without directives. */
const proseOf = (comment) => (/^\s*eslint-/.test(comment) ? '' : comment.replace(/`[^`]*`/g, '``'));

const plain = {
  meta: {
    type: 'suggestion',
    schema: [
      {
        type: 'object',
        properties: { in: { type: 'array', items: { enum: ['texts', 'titles', 'comments'] } } },
        additionalProperties: false,
      },
    ],
    messages: { idiom: '"{{ word }}" is not plain English here. Use: {{ instead }}.' },
  },
  create(context) {
    const places = new Set(context.options[0]?.in ?? ['texts', 'titles', 'comments']);
    const check = (node, text) => {
      for (const { pattern, instead } of IDIOMS) {
        const [word] = pattern.exec(text) ?? [];
        if (word !== undefined) context.report({ loc: node.loc, messageId: 'idiom', data: { word, instead } });
      }
    };
    const checkText = (node) => {
      for (const text of partsOf(node)) if (text.trim().split(/\s+/).length >= FEWEST_WORDS) check(node, text);
    };
    return {
      ...(places.has('texts') && { Literal: checkText, TemplateLiteral: checkText }),
      ...(places.has('titles') && {
        CallExpression: ({ callee, arguments: [title] }) => {
          if (isTest(callee)) for (const text of partsOf(title)) check(title, text);
        },
      }),
      ...(places.has('comments') && {
        Program: () => {
          for (const comment of context.sourceCode.getAllComments()) check(comment, proseOf(comment.value));
        },
      }),
    };
  },
};

/** A comment without its markup. */
const textOf = (comment) => proseOf(comment).replace(/^[\s*]+/, '');

/** "What a caller sends.": a clause without a main clause. "What is missing is an error." has one, but reads badly as well. */
const HEADLESS = /^(?:What|Whatever|Who|Whose|Whom|Whoever|Whether|With whom)\b/;

const sentence = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      headless:
        '"{{ word }}" begins a clause without a main clause. Write a sentence or name the thing: "Reports whether …", "True if …", "The rows of …".',
    },
  },
  create: (context) => ({
    Program: () => {
      const comments = context.sourceCode.getAllComments();
      for (const [at, comment] of comments.entries()) {
        const before = comments[at - 1];
        const goesOn =
          comment.type === 'Line' && before?.type === 'Line' && before.loc.end.line === comment.loc.start.line - 1;
        const [word] = HEADLESS.exec(textOf(comment.value)) ?? [];
        if (word !== undefined && !goesOn) context.report({ loc: comment.loc, messageId: 'headless', data: { word } });
      }
    },
  }),
};

/** Markdown as ESLint reads it: a JavaScript file whose comments are the lines of prose, without code and link targets. */
const markdown = {
  meta: { name: 'words/markdown' },
  preprocess: (text) => {
    let isCode = false;
    const lines = text.split('\n').map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      return isCode || /^\s*```/.test(line) ? '' : `// ${proseOf(line).replace(/\]\([^)]*\)/g, ']')}`;
    });
    return [{ text: lines.join('\n'), filename: 'prose.js' }];
  },
  postprocess: (messages) => messages.flat(),
};

/** Words that a name of the code does not have, with those that replace them. `isTold` has the words "is" and "told". */
const NAME_IDIOMS = [
  ['refus\\w*', 'reject, rejection, error'],
  ['tells?|told|telling|untold', 'report, notify, reveal, tokens, values'],
  ['shown', 'presented, displayed, response'],
  ['said|says?', 'text, words, message, label'],
  ['whoever|whom|who|somebody|nobody|anybody|everybody', 'user, caller, owner'],
  ['stands?|stood|standing', 'state, status, current'],
  ['kill(?:s|ed|ing)', 'invalidate, stop'],
  ['alone', 'only, single'],
  ['besides?', 'next to, concurrent, extra'],
  ['anew|again', 'retry, repeat, fresh, restart'],
  ['ahead|begun', 'prefetched, started, pending'],
  ['telephones?', 'phone, phone number'],
  ['hopeless|farewell|wish|wishes|sought', 'a literal name'],
  ['ways?', 'method, path'],
  ['under way|stretch', 'in progress, range'],
  ['guests?|people|moments?|aftermath|forwards|letters?', 'the thing that it is'],
].map(([words, instead]) => ({ pattern: new RegExp(`(?<!\\S)(?:${words})(?!\\S)`, 'i'), instead }));

/** "refusedUser" and "read-ahead" as words with spaces. */
const wordsOf = (name) =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim();

/** Reports whether an expression calls, awaits or creates something: it does not only arrange what it has. */
function computes(node) {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some(computes);
  if (['CallExpression', 'AwaitExpression', 'NewExpression', 'BinaryExpression'].includes(node.type)) return true;
  return Object.entries(node).some(([key, value]) => key !== 'parent' && key !== 'loc' && key !== 'range' && computes(value));
}

const isFunction = (node) => node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

const names = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      idiom: 'The name "{{ name }}" has "{{ word }}", which is not plain English here. Use: {{ instead }}.',
      file: 'The file name "{{ name }}" has "{{ word }}", by which nobody who is new finds it. Use: {{ instead }}.',
      verb: 'The function "{{ name }}" fetches or computes: begin its name with a verb (find, list, read, parse, compute, present).',
    },
  },
  create(context) {
    const check = (node, messageId, name) => {
      for (const { pattern, instead } of NAME_IDIOMS) {
        const [word] = pattern.exec(wordsOf(name)) ?? [];
        if (word !== undefined) context.report({ node, messageId, data: { name, word, instead } });
      }
    };
    /** Checks the names that a pattern declares: not the properties that it reads. */
    const checkPattern = (pattern) => {
      if (pattern === null) return;
      if (pattern.type === 'Identifier') check(pattern, 'idiom', pattern.name);
      else if (pattern.type === 'AssignmentPattern') checkPattern(pattern.left);
      else if (pattern.type === 'RestElement') checkPattern(pattern.argument);
      else if (pattern.type === 'ArrayPattern') for (const each of pattern.elements) checkPattern(each);
      else if (pattern.type === 'TSParameterProperty') checkPattern(pattern.parameter);
      // A shorthand takes its name from the object that it reads, where the name is declared.
      else for (const each of pattern.properties) {
        if (each.type === 'RestElement' || !each.shorthand) checkPattern(each.value ?? each.argument);
      }
    };
    const checkVerb = (id, body, isAsync) => {
      if (id?.type !== 'Identifier' || !/[a-z0-9]Of$/.test(id.name) || /^is/.test(id.name)) return;
      if (isAsync || body?.type === 'BlockStatement' || computes(body)) {
        context.report({ node: id, messageId: 'verb', data: { name: id.name } });
      }
    };
    const checkFunction = (node) => {
      if (node.id) check(node.id, 'idiom', node.id.name);
      if (node.type === 'FunctionDeclaration') checkVerb(node.id, node.body, node.async);
      for (const parameter of node.params) checkPattern(parameter);
    };
    const checkMember = (node) => {
      if (node.key.type === 'Identifier') check(node.key, 'idiom', node.key.name);
      if (node.value?.body) checkVerb(node.key, node.value.body, node.value.async);
    };
    const checkType = ({ id }) => check(id, 'idiom', id.name);
    return {
      Program: (node) => {
        const file = context.filename.split(/[\\/]/).at(-1).replace(/\..*$/, '');
        check(node, 'file', file);
      },
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      ClassDeclaration: checkType,
      VariableDeclarator: ({ id, init }) => {
        checkPattern(id);
        if (isFunction(init)) checkVerb(id, init.body, init.async);
      },
      MethodDefinition: checkMember,
      PropertyDefinition: checkMember,
      TSPropertySignature: checkMember,
      TSMethodSignature: checkMember,
      TSInterfaceDeclaration: checkType,
      TSTypeAliasDeclaration: checkType,
    };
  },
};

const plugins = { words: { rules: { plain, sentence, names }, processors: { markdown } } };

/** The rules for each part of the project. */
export const words = [
  {
    files: ['functions/**/*.ts', 'lib/**/*.ts', 'bin/**'],
    plugins,
    rules: { 'words/plain': 'error', 'words/sentence': 'error', 'words/names': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    plugins,
    rules: {
      'words/plain': ['error', { in: ['titles', 'comments'] }],
      'words/sentence': 'error',
      'words/names': 'error',
    },
  },
  { files: ['**/*.md'], plugins, processor: 'words/markdown' },
  { files: ['**/*.md/*.js'], plugins, rules: { 'words/plain': ['error', { in: ['comments'] }] } },
];
