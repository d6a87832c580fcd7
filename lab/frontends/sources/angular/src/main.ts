import { Component, inject, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { ActivatedRoute, provideRouter, RouterLink, RouterOutlet } from "@angular/router";

@Component({
  imports: [RouterLink],
  template: `@if (page(); as page) {<main>
    <h1>{{ page.title }}</h1>
    @for (each of page.pages; track each.slug) {
      <h2><a [routerLink]="['/articles', each.slug]">{{ each.title }}</a></h2>
      <p>{{ each.teaser }}</p>
    }
    @for (text of page.paragraphs; track text) {<p>{{ text }}</p>}
    @if (page.next) {<nav><a [routerLink]="['/articles', page.next]">Next</a></nav>}
  </main>}`,
})
class Page {
  page = signal<any>(null);

  constructor() {
    inject(ActivatedRoute).params.subscribe(async ({ slug = "index" }) => {
      this.page.set(await (await fetch(`/api/${slug}.json`)).json());
    });
  }
}

@Component({
  selector: "app-root",
  imports: [RouterLink, RouterOutlet],
  template: `<header><a routerLink="/">Home</a></header><router-outlet />
    <footer>All rights reserved</footer>`,
})
class App {}

bootstrapApplication(App, {
  providers: [
    provideZonelessChangeDetection(),
    provideRouter([
      { path: "", component: Page },
      { path: "articles/:slug", component: Page },
    ]),
  ],
});
