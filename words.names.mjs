/**
 * `words/names`: a declared name says what the thing is or does, in the words of `words.plain.mjs`; a file is named by what a
 * newcomer would look for; and a function that fetches or computes begins with a verb, it is not called `xOf`.
 */
/** Words that a name of the code does not have, with those that replace them. `isTold` has the words "is" and "told". */
const NAME_IDIOMS = [
  ['refus\\w*', 'reject, rejection, error'],
  ['tells?|told|telling|untold', 'report, notify, reveal, tokens, values'],
  ['shown', 'presented, displayed, response'],
  ['said|says?', 'text, words, message, label'],
  ['whoever|whom|who|somebody|nobody|anybody|everybody', 'user, caller, owner'],
  ['stands?|stood|standing', 'state, status, current'],
  ['alone', 'only, single'],
  ['besides?', 'next to, concurrent, extra'],
  ['anew', 'retry, repeat, fresh, restart'],
  ['ahead|begun', 'prefetched, started, pending'],
  ['telephones?', 'phone, phone number'],
  ['hopeless|farewell|wish|wishes|sought', 'a literal name'],
  ['ways?', 'method, path'],
  ['under way|stretch', 'in progress, range'],
  ['judge\\w*|judging|meanwhile', 'decide, check, validity'],
  ['(?:un)?answer\\w*', 'respond, response, reply'],
  ['holds?|holding', 'contain, store, reserve, pause, isMet'],
].map(toNamePattern);

/** Further words that a file is not named by: a newcomer looks for the thing. */
const FILE_IDIOMS = [
  ['again', 'repeated, retry'],
  ['guests?|people', 'users, members, organizations'],
  ['moments?|aftermath|forwards?|letters?', 'the thing that it is'],
].map(toNamePattern);

function toNamePattern([words, instead]) {
  return { pattern: new RegExp(`(?<!\\S)(?:${words})(?!\\S)`, 'i'), instead };
}

/** The names of members of requests, responses and rows are not the code's own. */
const WIRE_NAME = /^[a-z0-9]+(?:_[a-z0-9]+)+$/;

/** "refusedUser" and "read-ahead" as words with spaces. */
const splitWords = (name) =>
  name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim();

/** Reports whether an expression calls, awaits or creates something: it does not only arrange what it has. */
function computes(node) {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some(computes);
  if (['CallExpression', 'AwaitExpression', 'NewExpression', 'BinaryExpression'].includes(node.type)) return true;
  return Object.entries(node).some(
    ([key, value]) => key !== 'parent' && key !== 'loc' && key !== 'range' && computes(value),
  );
}

const isFunction = (node) => node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

export const names = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      idiom: 'The name "{{ name }}" has "{{ word }}", which is not plain English here. Use: {{ instead }}.',
      file: 'The file name "{{ name }}" has "{{ word }}", by which a newcomer does not find it. Use: {{ instead }}.',
      verb: 'The function "{{ name }}" fetches or computes: begin its name with a verb (find, list, read, parse, compute, present).',
    },
  },
  create(context) {
    const check = (node, messageId, name, idioms = NAME_IDIOMS) => {
      if (WIRE_NAME.test(name)) return;
      for (const { pattern, instead } of idioms) {
        const [word] = pattern.exec(splitWords(name)) ?? [];
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
      else
        for (const each of pattern.properties) {
          if (each.type === 'RestElement' || !each.shorthand) checkPattern(each.value ?? each.argument);
        }
    };
    const checkVerb = (id, body, isAsync) => {
      if (id?.type !== 'Identifier' || !/[a-z0-9]Of$/.test(id.name) || /^(?:is|oneOf$|anyOf$|allOf$)/.test(id.name))
        return;
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
        check(node, 'file', file, [...NAME_IDIOMS, ...FILE_IDIOMS]);
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
      Property: ({ key, value }) => {
        if (isFunction(value)) checkVerb(key, value.body, value.async);
      },
      TSPropertySignature: checkMember,
      TSMethodSignature: checkMember,
      TSInterfaceDeclaration: checkType,
      TSTypeAliasDeclaration: checkType,
    };
  },
};
