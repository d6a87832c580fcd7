// Counts a page's pending work from the moment its document is created. Called by
// scrapy_mainpage.rendering.settle with the name of the one property that it
// leaves behind, and with measure.js.
//
// The page must neither break nor notice: the browser's functions are replaced by
// proxies, which keep their names, their `this` and their native source. All functions
// called after the page has begun to run were captured before.
(key, createMeter) => {
  if (window.top !== window || key in window) return;

  const MAX_TIMER = 5000; // ms: longer timers bring no content
  const START = 2000; // ms: later timers do not belong to the page's start
  const MAX_TIMER_DEPTH = 2; // a timer set by a timer set by a timer is polling
  const MAX_CHAIN = 1500; // ms: a timer set when a request has ended, for the next one
  const STREAM = 1000; // ms: a stream brings more so soon after its last message
  const SLACK = 50; // ms: how late a timer may be
  const TRACKER = new RegExp(
    "^(https?:)?//([^/]*[.])?(google-analytics|googletagmanager|googlesyndication|" +
      "doubleclick|googleadservices|hotjar|clarity|segment|mixpanel|amplitude|" +
      "nr-data|newrelic|datadoghq|bugsnag|sentry|criteo|taboola|outbrain|" +
      "amazon-adsystem|scorecardresearch|chartbeat|quantserve|adnxs|plausible|" +
      "cloudflareinsights)[.](com|net|io|ms|de)(:[0-9]+)?/", "i");
  const CODE = /^\s*(module|(text|application)\/(x-)?(java|ecma)script)?\s*(;|$)/i;
  const AHEAD = /^\s*(modulepreload|preload)\s*$/i;

  const { apply, construct: make, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const wrapped = Proxy;
  const { call, bind } = Function.prototype;
  const free = bind.bind(call); // free(f)(self, ...) is f.call(self, ...)
  const getter = (type, name) =>
    free(getOwnPropertyDescriptor(type.prototype, name).get);
  const meter = createMeter(free, getter);

  const clock = performance;
  const read = free(Performance.prototype.now);
  const born = read(clock);
  const now = () => read(clock) - born;
  const listen = free(EventTarget.prototype.addEventListener);
  const matches = free(RegExp.prototype.exec);
  const attribute = free(Element.prototype.getAttribute);
  const once = { __proto__: null, once: true };
  const identity = Math.random();

  // State. No array or map: a page may replace their methods.
  const pending = { __proto__: null };
  let latest = 0; // number of the last pending thing
  let active = 0; // when the last request or navigation ended
  let answered = 0; // when the last request did, once there was one
  let mutated = 0;
  let dirty = true;
  let depth = 0; // how many timers deep the running code was set
  let ready = -1; // when the document was interactive and its scripts had run
  let epoch = 0; // when waiting began: the document's beginning, or the last scrolling

  const begin = (kind, until = Infinity) => {
    pending[++latest] = { kind, since: now(), until };
    return latest;
  };
  const end = (id) => {
    if (!pending[id]) return;
    const { kind, isTimer } = pending[id];
    if ((kind === "request" && !isTimer) || kind === "navigation") active = now();
    if (kind === "request" && !isTimer) answered = active;
    delete pending[id];
  };
  const quietly = (action) => {
    try {
      return action();
    } catch {
      return undefined; // not waited for if it cannot be watched
    }
  };

  // Replaces a function of the browser; trap(native, self, arguments) does its work.
  const replace = (owner, name, trap) => quietly(() => {
    const descriptor = getOwnPropertyDescriptor(owner, name);
    const value = new wrapped(descriptor.value, { __proto__: null, apply: trap });
    descriptor.value = value;
    defineProperty(owner, name, descriptor);
  });

  // Requests. The same URL over and over is polling.
  const asked = { __proto__: null };
  const kindOf = (url, method) => {
    if (typeof url === "string" && matches(TRACKER, url)) return "";
    const again = method === "GET" && url && (asked[url] = (asked[url] || 0) + 1) > 2;
    return depth > MAX_TIMER_DEPTH || again ? "poll" : "request";
  };
  const remember = free(WeakMap.prototype.set);
  const recall = free(WeakMap.prototype.get);
  const then = free(Promise.prototype.then);
  const kinds = new WeakMap(); // the kind of a response's body
  const follow = (kind, promise) => {
    const id = kind && begin(kind);
    const done = (value) => {
      quietly(() => remember(kinds, value, kind));
      end(id);
    };
    if (quietly(() => then(promise, done, done)) === undefined) done();
    return promise;
  };
  replace(window, "fetch", (native, self, args) => {
    const from = args[0];
    const url = quietly(() =>
      typeof from === "string" ? from : `${from.url || from.href}`);
    const method = quietly(() => (args[1] || from).method || "GET");
    const promise = apply(native, self, args);
    return follow(kindOf(url, method), promise);
  });
  for (const name of ["json", "text", "blob", "arrayBuffer", "formData"]) {
    replace(Response.prototype, name, (native, self, args) => {
      const promise = apply(native, self, args);
      const kind = quietly(() => recall(kinds, self));
      return follow(kind === undefined ? "request" : kind, promise);
    });
  }
  const addresses = new WeakMap();
  replace(XMLHttpRequest.prototype, "open", (native, self, args) => {
    quietly(() =>
      remember(addresses, self, { method: args[0], url: `${args[1]}` }));
    return apply(native, self, args);
  });
  replace(XMLHttpRequest.prototype, "send", (native, self, args) => {
    const to = quietly(() => recall(addresses, self));
    const kind = to ? kindOf(to.url, to.method) : "request";
    const id = kind && begin(kind);
    quietly(() => listen(self, "loadend", () => end(id), once));
    try {
      return apply(native, self, args);
    } catch (error) {
      end(id);
      throw error;
    }
  });

  // Streams: pending while messages come.
  for (const name of ["EventSource", "WebSocket"]) {
    quietly(() => {
      const native = window[name];
      const construct = (type, args, target) => {
        const stream = make(type, args, target);
        quietly(() => {
          const id = begin("poll", now() + STREAM);
          listen(stream, "message", () => {
            if (pending[id]) pending[id].until = now() + STREAM;
            else pending[id] = { kind: "poll", since: now(), until: now() + STREAM };
          });
        });
        return stream;
      };
      const descriptor = getOwnPropertyDescriptor(window, name);
      descriptor.value = new wrapped(native, { __proto__: null, construct });
      defineProperty(window, name, descriptor);
      native.prototype.constructor = descriptor.value;
    });
  }

  // Timers. Their functions are called as the browser calls them.
  const timers = { __proto__: null };
  const isEarly = (delay) =>
    depth < MAX_TIMER_DEPTH && delay <= MAX_TIMER &&
    (ready < 0 || now() - (ready > epoch ? ready : epoch) <= START);
  const atDepth = (level, handler, before) => function (...args) {
    const outer = depth;
    depth = level;
    before();
    try {
      return apply(handler, this, args);
    } finally {
      depth = outer;
    }
  };
  const nothing = () => {};
  replace(window, "setTimeout", (native, self, args) => {
    const delay = typeof args[1] === "object" ? 0 : quietly(() => +args[1]) || 0;
    const isCode = typeof args[0] !== "function";
    const until = isCode ? now() + delay + SLACK : Infinity;
    const isNext = delay <= MAX_CHAIN && answered && now() - answered < SLACK;
    const kind = isNext && depth < MAX_TIMER_DEPTH ? "request" : isEarly(delay) ? "timer" : "";
    const pendingId = kind ? begin(kind, until) : 0;
    if (pendingId) pending[pendingId].isTimer = true;
    let timer = 0;
    if (!isCode) {
      args[0] = atDepth(depth + 1, args[0], () => {
        delete timers[timer];
        end(pendingId);
      });
    }
    timer = apply(native, self, args);
    if (pendingId) timers[timer] = pendingId;
    return timer;
  });
  replace(window, "setInterval", (native, self, args) => {
    if (typeof args[0] === "function") {
      args[0] = atDepth(MAX_TIMER_DEPTH + 1, args[0], nothing);
    }
    return apply(native, self, args);
  });
  for (const name of ["clearTimeout", "clearInterval"]) {
    replace(window, name, (native, self, args) => {
      const timer = args[0];
      if (typeof timer === "number" && timers[timer]) {
        end(timers[timer]);
        delete timers[timer];
      }
      return apply(native, self, args);
    });
  }

  // Changes of the document, and scripts added to it.
  const nameOf = getter(Element, "localName");
  const typeOf = getter(Node, "nodeType");
  const added = getter(MutationRecord, "addedNodes");
  const lengthOf = getter(NodeList, "length");
  const isScript = (element) =>
    nameOf(element) === "script" && attribute(element, "src") &&
    attribute(element, "nomodule") === null &&
    matches(CODE, attribute(element, "type") || "") &&
    !matches(TRACKER, attribute(element, "src"));
  const isAhead = (element) =>
    nameOf(element) === "link" && attribute(element, "href") &&
    matches(AHEAD, attribute(element, "rel") || "") &&
    (attribute(element, "rel") !== "preload" || attribute(element, "as") === "script");
  const watch = (node) => {
    if (typeOf(node) !== 1 || !(isScript(node) || isAhead(node))) return;
    const id = begin("request");
    const done = () => end(id);
    listen(node, "load", done, once);
    listen(node, "error", done, once);
  };
  const observe = free(MutationObserver.prototype.observe);
  const observer = new MutationObserver((records) => {
    mutated = now();
    dirty = true;
    for (let at = 0; at < records.length; at++) {
      quietly(() => {
        const nodes = added(records[at]);
        for (let n = 0; n < lengthOf(nodes); n++) watch(nodes[n]);
      });
    }
  });
  const OBSERVED = { __proto__: null, childList: true, characterData: true, subtree: true };
  observe(observer, document, OBSERVED);
  replace(Element.prototype, "attachShadow", (native, self, args) => {
    const root = apply(native, self, args);
    quietly(() => observe(observer, root, OBSERVED));
    mutated = now();
    dirty = true;
    return root;
  });

  // Service workers are blocked: who waits for one would wait for ever.
  quietly(() => {
    const owner = ServiceWorkerContainer.prototype;
    const ready = getOwnPropertyDescriptor(owner, "ready");
    const promise = Promise, reject = free(Promise.reject), error = DOMException;
    const refuse = () => reject(promise, new error("blocked", "SecurityError"));
    ready.get = new wrapped(ready.get, { __proto__: null, apply: refuse });
    defineProperty(owner, "ready", ready);
  });

  // Another page is on its way.
  quietly(() => {
    let id = 0;
    listen(navigation, "navigate", (event) => {
      const stays = event.destination.sameDocument || event.downloadRequest !== null;
      if (event.isTrusted && !stays) id = begin("navigation", now() + MAX_TIMER);
    });
    listen(navigation, "navigateerror", () => end(id));
  });

  const setReady = () => {
    ready = active = now();
  };
  listen(document, "DOMContentLoaded", setReady, once);

  // Numbers separated by spaces: the fields of settle.Measurement.
  const measure = () => {
    const counts = { request: 0, poll: 0, timer: 0, navigation: 0 };
    for (const id in pending) {
      if (pending[id].until <= now()) end(id);
      else if (pending[id].since >= epoch) counts[pending[id].kind]++;
    }
    const state = meter.readyState();
    if (ready < 0 && state === "complete") setReady();
    if (dirty) {
      dirty = false;
      meter.count((root) => observe(observer, root, OBSERVED));
    }
    const text = meter.text;
    const times = [now(), epoch, mutated, active];
    for (let at = 0; at < 4; at++) times[at] /= 1000;
    // After scrolling and clicks timers are as good as requests.
    const likely = counts.request + counts.navigation + (epoch ? counts.timer : 0) +
      (ready < 0 ? 1 : 0);
    const maybe = counts.poll + counts.timer + meter.hasPlaceholder();
    return identity + " " + times[0] + " " + times[1] + " " +
      text.words + " " + text.linked + " " + text.characters + " " +
      times[2] + " " + times[3] + " " + likely + " " + maybe;
  };
  const restart = () => {
    epoch = now();
    return "";
  };
  const scroll = () => {
    restart();
    return meter.scroll();
  };
  const commands = { __proto__: null, measure, restart, scroll, top: meter.scrollToTop };
  const command = (name) => commands[name]();
  defineProperty(window, key, { __proto__: null, value: command });
}
