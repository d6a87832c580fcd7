import { createApp } from "vue";
import { createRouter, createWebHashHistory, createWebHistory } from "vue-router";
import App from "./App.vue";
import Page from "./Page.vue";

const history = import.meta.env.MODE === "hash" ? createWebHashHistory() : createWebHistory();
const routes = [{ path: "/", component: Page }, { path: "/articles/:slug", component: Page }];
createApp(App).use(createRouter({ history, routes })).mount("#app");
