// A form made of a schema: one field for each parameter, with the type that it has.

let lastField = 0;

class Form {
  /// - schema: an object's, or null.
  constructor(schema, submitLabel, onSubmit) {
    this.fields = Object.entries(schema?.properties ?? {})
      .map(([name, rule]) => new Field(name, rule, (schema.required ?? []).includes(name)));
    this.submit = h('button', { type: 'submit', class: 'primary' }, submitLabel);
    this.element = h('form', { class: 'form', novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      const parameters = this.read();
      if (parameters) onSubmit(parameters);
    } }, this.fields.map((field) => field.element), h('div', { class: 'buttons' }, this.submit));
  }

  /// What was filled in, or null where a field is wrong, which says so.
  read() {
    const parameters = {};
    let wrong = null;
    for (const field of this.fields) {
      field.complain('');
      try {
        const value = field.read();
        if (value !== undefined) parameters[field.name] = value;
      } catch (error) {
        field.complain(error.message);
        wrong ??= field;
      }
    }
    wrong?.input.focus();
    return wrong ? null : parameters;
  }

  /// The host's own complaint about a field. False where it has none of that name.
  complain(name, message) {
    const field = this.fields.find((each) => each.name === name?.split(/[.[]/)[0]);
    field?.complain(message);
    field?.input.focus();
    return Boolean(field);
  }
}

/// One box to tick, with its words.
function checkbox(words) {
  const id = `field-${lastField += 1}`;
  const input = h('input', { type: 'checkbox', id });
  return { input, element: h('div', { class: 'check' }, input, h('label', { for: id }, words)) };
}

/// What is to be said of a setting that was to be kept.
function kept(answer, isAsked) {
  if (!isAsked) return '';
  return answer.saved ? ', also after a restart'
    : `, but only until the next restart: ${answer.save_reason ?? answer.reason}`;
}

class Field {
  static hints = {
    duration: 'a time, as 500ms, 5s or 2min', size: 'a size, as 64KiB or 16MiB', pad: 'pipeline/element.pad',
    element: 'pipeline/element', path: 'a path on the host’s machine',
  };

  constructor(name, rule, isRequired) {
    this.name = name;
    this.rule = rule;
    this.isRequired = isRequired;
    const id = `field-${lastField += 1}`;
    this.input = this.make(id);
    this.input.id = id;
    if (isRequired) this.input.setAttribute('aria-required', 'true');
    this.error = h('span', { class: 'wrong', id: `${id}-wrong`, role: 'alert' });
    const about = [rule.description && sentence(rule.description), this.range()].filter(Boolean).join(' ');
    this.input.setAttribute('aria-describedby', `${id}-about ${id}-wrong`);
    const words = h('label', { for: id }, name, isRequired ? h('span', { class: 'need' }, ' required') : null);
    const line = rule.type === 'boolean' ? h('div', { class: 'check' }, this.input, words) : [words, this.input];
    this.element = h('div', { class: 'field' }, line, h('span', { class: 'about', id: `${id}-about` }, about), this.error);
  }

  make() {
    const { rule } = this;
    const initial = rule.default;
    if (rule.enum) return this.select(rule.enum.map(String), initial);
    if (rule.format === 'pipeline') return this.select(app.pipelines.map((row) => row.name), initial);
    if (rule.format === 'instance') return this.select(app.plugins.map((row) => row.name), initial);
    if (rule.type === 'boolean') return h('input', { type: 'checkbox', checked: initial === true });
    if (rule.type === 'object' || rule.type === 'array') {
      return h('textarea', { rows: 3, spellcheck: 'false', placeholder: rule.type === 'array' ? '[…]' : '{…}' }, initial === undefined ? '' : JSON.stringify(initial));
    }
    const isNumber = ['integer', 'number'].includes(rule.type) && !rule.format;
    return h('input', {
      type: rule.format === 'secret' ? 'password' : 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
      inputmode: isNumber ? (rule.type === 'integer' && !(rule.minimum < 0) ? 'numeric' : 'decimal') : undefined,
      placeholder: Field.hints[rule.format], value: initial,
    });
  }

  select(choices, initial) {
    const none = this.isRequired ? [] : [h('option', { value: '' }, '–')];
    return h('select', {}, none,
      choices.map((choice) => h('option', { value: choice, selected: choice === String(initial) }, choice)));
  }

  range() {
    const { minimum, maximum } = this.rule;
    if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
    if (minimum !== undefined) return `${minimum} or more.`;
    return maximum !== undefined ? `${maximum} at most.` : '';
  }

  complain(message) {
    setText(this.error, message);
    if (message) this.input.setAttribute('aria-invalid', 'true');
    else this.input.removeAttribute('aria-invalid');
  }

  /// undefined: nothing was filled in.
  read() {
    const { rule, input } = this;
    if (input.type === 'checkbox') {
      return input.checked === (rule.default ?? false) && !this.isRequired ? undefined : input.checked;
    }
    const text = rule.type === 'string' ? input.value : input.value.trim();
    if (text === '') {
      if (this.isRequired && !(rule.type === 'string' && rule.enum)) throw new Error('It is needed.');
      return undefined;
    }
    if (rule.type === 'object' || rule.type === 'array') {
      try { return JSON.parse(text); } catch { throw new Error('This is no JSON.'); }
    }
    if (!['integer', 'number'].includes(rule.type) || rule.format) return text;
    const number = Number(text);
    if (!Number.isFinite(number) || (rule.type === 'integer' && !Number.isInteger(number))) {
      throw new Error(rule.type === 'integer' ? 'It takes a whole number.' : 'It takes a number.');
    }
    if (number < rule.minimum || number > rule.maximum) throw new Error(`It takes ${this.range()}`);
    return number;
  }
}
