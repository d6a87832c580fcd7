import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router-dom";
import Frame from "./Frame.jsx";
import { About, Article, Catalogue, Home, Missing, Seed } from "./pages.jsx";
import "./style.css";

createRoot(document.getElementById("root")).render(
  <BrowserRouter basename={import.meta.env.BASE_URL}>
    <Frame>
      <Routes>
        <Route path="/" element={<Home />} />
        <Route path="/articles/:slug" element={<Article />} />
        <Route path="/catalogue" element={<Catalogue />} />
        <Route path="/catalogue/:slug" element={<Seed />} />
        <Route path="/about" element={<About />} />
        <Route path="*" element={<Missing />} />
      </Routes>
    </Frame>
  </BrowserRouter>,
);
