import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.ingest.markdown import parse_markdown
from coldseek_core.ingest.mdx import prepare_mdx
from coldseek_core.ingest.sections import Section


def sections(source: str) -> list[Section]:
    return parse_markdown(prepare_mdx(source), "docusaurus", indented_code=False)


def text_of(source: str) -> str:
    return "\n\n".join(block.rendered() for section in sections(source) for block in section.blocks)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import A from 'a';\nimport {\n  B,\n\n  C,\n} from 'b';\n\ntext", "text"),
        ("export const H = ({c}) => (\n  <b>it's {c}</b>\n);\n\ntext", "text"),
        ("export default function F() {\n\n  return 1;\n}\n\ntext", "text"),
        ("import is a word.\nexport default settings here.", "import is a word.\nexport default settings here."),
        ("<Note title={<b>x</b>}>Body</Note>", "x\n\nBody"),
        ("a {1+1} b", "a  b"),
        ("a {'str'} b{' '}c", "a str b c"),
        ("a {/* comment */}\n\n{/*\n```\ncode\n```\n*/}\n\nb", "a\n\nb"),
        ("<!-- comment -->text", "text"),
        ('<img alt="map"/>', "map"),
        ("some <Highlight color='x'>green</Highlight> text", "some green text"),
        ("<Foo>\n\nchild **one**\n\n<Bar x={{y: '}'}} />\n\n</Foo>", "child one"),
        ("<details><summary>More</summary>\ninner\n</details>", "More\n\ninner"),
        ("`code <b> {x}` and \\{y\\} and \\<z", "`code <b> {x}` and {y} and <z"),
        ("a < b and c > d {unclosed", "a < b and c > d {unclosed"),
        ("<Head>\n<title>No</title>\n</Head>\n\ntext", "text"),
        ("<Admonition type='tip' title='Shown'>body</Admonition>", "Shown\n\nbody"),
        ("$\\frac{a}{b}$ x", "$\\frac{a}{b}$ x"),
        ("<Trans>{`template`}</Trans>", "template"),
        ("<CodeBlock>{`a {\n  b <c>\n}`}</CodeBlock>", "```\na {\n  b <c>\n}\n```"),
        ("<div>\n    indented **text**\n</div>", "indented text"),
        ("- <p>in an item</p>", "- in an item"),
        ("| a |\n|---|\n| <Tag x='1'>b</Tag><br/>c {'d'} |", "| a |\n| --- |\n| b c d |"),
        ("<>fragment</>", "fragment"),
        ("1 <A.B prop>x</A.B>", "1 x"),
    ],
)
def test_what_a_reader_sees(source: str, text: str) -> None:
    assert text_of(source) == text


def test_tabs_are_labelled() -> None:
    source = (
        '<Tabs>\n  <TabItem value="win" label="Windows">Use Ctrl</TabItem>\n'
        '  <TabItem value="mac">\n\n  Use *Cmd*\n\n'
        '  ```js\n  import x from "y";\n  <Foo/>\n  ```\n\n  </TabItem>\n</Tabs>'
    )
    assert text_of(source) == 'Windows\n\nUse Ctrl\n\nmac\n\nUse Cmd\n\n```js\nimport x from "y";\n<Foo/>\n```'


def test_a_page_with_everything() -> None:
    source = (
        "import Tabs from '@theme/Tabs';\n\n<Tabs>\n<TabItem value='mac' label='macOS'>One</TabItem>\n"
        "<TabItem value='win'>\n\nTwo\n\n</TabItem>\n</Tabs>\n\n<Note title={<b>x</b>}>Body</Note>\n\n{1+1}\n\n"
        '<img alt="map"/>\n\n<Unknown prop={() => <i>leak</i>} {...rest}>kept</Unknown>'
    )
    assert text_of(source).split("\n\n") == ["macOS", "One", "win", "Two", "x", "Body", "map", "kept"]


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("<Tabs items={[\"npm\", 'yarn']}>\n<Tab>a</Tab>\n<Tab>b</Tab>\n</Tabs>", ["npm", "yarn"]),
        ('<Tabs items={["npm", "yarn"]}>\n<Tabs.Tab>a</Tabs.Tab>\n<Tabs.Tab>b</Tabs.Tab>\n</Tabs>', ["npm", "yarn"]),
        (
            "<Tabs values={[\n{label: 'W', value: 'w'},\n{value: 'm', label: 'M'},\n]}>\n"
            "<TabItem value='m'>a</TabItem>\n<TabItem value='w'>b</TabItem></Tabs>",
            ["M", "W"],
        ),
        (
            "<Tabs>\n<TabItem label={<b>One</b>}>a</TabItem>\n<TabItem label={'Two'}>b</TabItem>\n</Tabs>",
            ["One", "Two"],
        ),
        ("<Tabs items={names}>\n<Tab title='A'>a</Tab>\n<Tab value='B'>b</Tab>\n</Tabs>", ["A", "B"]),
    ],
)
def test_where_the_labels_of_tabs_may_stand(source: str, labels: list[str]) -> None:
    assert text_of(source).split("\n\n") == [labels[0], "a", labels[1], "b"]


def test_labels_of_tabs_in_tabs_are_not_mixed_up() -> None:
    inner = '<Tabs items={["in 1", "in 2"]}>\n<Tab>b</Tab>\n<Tab>c</Tab>\n</Tabs>'
    source = f'<Tabs items={{["out 1", "out 2"]}}>\n<Tab>a\n\n{inner}\n\n</Tab>\n<Tab>d</Tab>\n</Tabs>\n\n<Tab>e</Tab>'
    assert text_of(source).split("\n\n") == ["out 1", "a", "in 1", "b", "in 2", "c", "out 2", "d", "e"]


def test_mdx_code_blocks_are_part_of_the_page() -> None:
    source = "```mdx-code-block\nimport T from 'x';\n<T>shown</T>\n```\n\n````md\n```mdx-code-block\nkept\n```\n````"
    assert text_of(source) == "shown\n\n````md\n```mdx-code-block\nkept\n```\n````"


def test_headings_keep_their_anchor_and_stay_one_line() -> None:
    found = sections(
        '## Title <Badge label="beta" /> {#id}\nx\n## <a id="named"></a>Other\ny\n<Tabs>\n## In tabs\nz\n</Tabs>'
    )
    assert [(section.heading, section.anchor) for section in found[1:]] == [
        ("Title", "id"),
        ("Other", "named"),
        ("In tabs", "in-tabs"),
    ]
    commented = sections("## Title {/* #id */}\n\n## Other {/* words */}")
    assert [(section.heading, section.anchor) for section in commented[1:]] == [("Title", "id"), ("Other", "other")]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<A",
                ">",
                "/>",
                "</A>",
                "{",
                "}",
                "`",
                "```\n",
                "'",
                '"',
                "\n",
                "\n\n",
                "import ",
                "export const x = ",
                "/*",
                "*/",
                "a",
                "=",
                "<!--",
                "-->",
                "$",
                "\\",
                "(",
                ")",
                "//",
                " ",
                "<TabItem label='x'>",
                "- ",
                "# ",
                "|",
                "${",
            ]
        ),
        max_size=60,
    ).map("".join)
)
def test_any_text_is_prepared(source: str) -> None:
    prepare_mdx(source)
